package dev.semel.http;

import dev.semel.Attempt;
import dev.semel.Call;
import dev.semel.KeyClaim;
import dev.semel.http.problem.Answer;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link Exchange#claim}: the key, if this request is to run the handler ({@link Owned}); what goes back to
 * the client, if there is nothing to run ({@link Reply.Instead}); or that the request may wait for the outcome of another
 * ({@link Waiting}).
 */
public sealed interface RequestClaim permits RequestClaim.Owned, RequestClaim.Waiting, Reply.Instead {

    /**
     * This request runs the handler. Its key is held until you report the handler's end, with {@link #complete} or
     * {@link #fail}. Only the first report counts.
     */
    final class Owned implements RequestClaim {

        private final Exchange exchange;
        private final KeyClaim.Owned<HandlerResponse> claim;
        private final CompletionStage<Reply> reply;
        private final @Nullable Answer early;
        private final long startedAt = System.nanoTime();

        Owned(Exchange exchange, Call call, KeyClaim.Owned<HandlerResponse> claim) {
            this.early = exchange.isAnsweredEarly() ? exchange.early(call) : null;
            this.exchange = exchange;
            this.claim = claim;
            this.reply = exchange.replies(claim.execution(), call);
        }

        public Attempt attempt() {
            return claim.attempt();
        }

        /**
         * The answer to write before the handler runs, if the client does not want to wait: nothing else is then
         * written for this request. {@code null} otherwise.
         */
        public @Nullable Answer early() {
            return early;
        }

        /** Reports the handler's response; {@code false} if its end was reported before. */
        public boolean complete(HandlerResponse response) {
            return exchange.end(claim, HandlerEnd.of(exchange.rules(), response, null), startedAt);
        }

        /** Reports that the handler failed without a response; {@code false} if its end was reported before. */
        public boolean fail(Throwable failure) {
            return exchange.end(claim, HandlerEnd.of(exchange.rules(), null, failure), startedAt);
        }

        public boolean isEnded() {
            return exchange.isEnded();
        }

        /** Completes, on any thread, when the handler has ended and its outcome is stored. Never fails. */
        public CompletionStage<Reply> reply() {
            return reply;
        }
    }

    /** Another request runs the handler, and this one may wait for its outcome. Call one of the two methods, once. */
    final class Waiting implements RequestClaim {

        private final Exchange exchange;
        private final Call call;
        private final KeyClaim.Waiting<HandlerResponse> claim;

        Waiting(Exchange exchange, Call call, KeyClaim.Waiting<HandlerResponse> claim) {
            this.exchange = exchange;
            this.call = call;
            this.claim = claim;
        }

        /** Waits on the calling thread. Never returns {@link Waiting}. */
        public RequestClaim await() {
            return exchange.claim(call, claim::await);
        }

        /**
         * Waits without a thread, for a request that can no longer run its handler: if it gets the key, it releases it.
         * Never fails, and may complete on any thread.
         */
        public CompletionStage<Reply> reply() {
            return exchange.replies(claim.awaitAnswer().thenCompose(exchange::decline), call);
        }
    }
}
