package dev.semel.http;

import dev.semel.ExternalOperation.AsyncWork;
import dev.semel.http.spool.Spool;
import org.jspecify.annotations.Nullable;

/** The same for adapters that own their thread: they claim, run their handler, and tell its end. */
class ClaimingGateTest extends GateTest {

    @Override
    Reply send(Exchange exchange, @Nullable String caller, Spool body, AsyncWork<HandlerResponse> handler) {
        RequestClaim claim = exchange.claim(caller, body);
        if (claim instanceof RequestClaim.Waiting waiting) {
            claim = waiting.await();
        }
        if (claim instanceof Reply.Instead instead) {
            return instead;
        }
        RequestClaim.Owned owned = (RequestClaim.Owned) claim;
        try {
            handler.run(owned.attempt())
                    .handle((response, failure) -> failure == null ? owned.complete(response) : owned.fail(failure));
        } catch (RuntimeException e) {
            owned.fail(e);
        }
        return owned.reply().toCompletableFuture().join();
    }
}
