package dev.semel.testkit.flaws;

import dev.semel.Header;
import dev.semel.Outcome;
import dev.semel.spi.Claim;
import dev.semel.spi.QueuedCall;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** The answers of a store that mistakes a failure for an outcome, or forgets its own earlier writes. */
final class FlawedAnswers {

    static final Outcome FAILURE =
            Outcome.failed().payload("the attempt is gone").build();

    private static final long DELAY_MILLIS = 50;

    private FlawedAnswers() {}

    /** An answer that its caller can still withdraw, although the call has taken effect. */
    static CompletionStage<Claim> late(Claim claim) {
        QueuedCall<Claim> call = new QueuedCall<>();
        CompletableFuture.delayedExecutor(DELAY_MILLIS, TimeUnit.MILLISECONDS).execute(() -> call.complete(claim));
        return call;
    }

    static Claim failed(Instant now, long token) {
        return Claim.Settled.builder(FAILURE, now, now.plusSeconds(60), token).build();
    }

    /** What is kept of an outcome. */
    static Outcome stored(Flaw flaw, Outcome outcome) {
        Outcome.Builder copy = Outcome.builder(
                        flaw == Flaw.REPLAYS_FAILURES_AS_SUCCESS ? Outcome.Result.SUCCEEDED : outcome.result())
                .status(outcome.status())
                .format(outcome.format())
                .contentType(outcome.contentType())
                .headers(outcome.headers());
        if (flaw == Flaw.KEEPS_ONE_HEADER_PER_NAME) {
            Map<String, Header> byName = new LinkedHashMap<>();
            outcome.headers().forEach(header -> byName.put(header.name(), header));
            copy.headers(List.copyOf(byName.values()));
        }
        byte[] payload = outcome.payload();
        if (payload == null) {
            return copy.payload(flaw == Flaw.TAKES_NO_PAYLOAD_FOR_AN_EMPTY_ONE ? new byte[0] : null)
                    .build();
        }
        if (flaw == Flaw.KEEPS_PAYLOADS_AS_TEXT) {
            return copy.payload(new String(payload, StandardCharsets.UTF_8)).build();
        }
        int length = flaw == Flaw.CUTS_LARGE_PAYLOADS ? Math.min(payload.length, 65_535) : payload.length;
        return copy.payload(Arrays.copyOf(payload, length)).build();
    }
}
