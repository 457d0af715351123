package dev.semel.http.stored;

import dev.semel.http.problem.Answer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The application's word before a stored response is given to a caller again: a caller whose rights were withdrawn gets a
 * refusal and not yesterday's answer, and an answer of which parts are not stored can be completed.
 *
 * <p>It is asked for replays, also those of the status resource. If it fails, or does not answer within 10 seconds, the
 * caller gets 503 and nothing of the response.
 */
@FunctionalInterface
public interface ReplayHook {

    CompletionStage<Decision> decide(Replay replay);

    /** A replay that is about to happen. */
    final class Replay {

        private final String operation;
        private final String caller;
        private final String method;
        private final String path;
        private final Function<String, List<String>> headers;
        private final Answer stored;

        private Replay(Builder builder) {
            operation = builder.operation;
            caller = builder.caller;
            method = builder.method;
            path = builder.path;
            headers = builder.headers;
            stored = builder.stored;
        }

        /** The replay of this answer to a {@code GET /}, unless you say more. */
        public static Builder builder(String operation, String caller, Answer stored) {
            return new Builder(operation, caller, stored);
        }

        /** The operation's name. */
        public String operation() {
            return operation;
        }

        /** Whose key it is. */
        public String caller() {
            return caller;
        }

        /** The method of the request that asks. */
        public String method() {
            return method;
        }

        /** The path of the request that asks, as it was sent; that of the status resource if it asks there. */
        public String path() {
            return path;
        }

        /** Gives all field lines of a name of that request. */
        public Function<String, List<String>> headers() {
            return headers;
        }

        /** What would go out, with all headers. */
        public Answer stored() {
            return stored;
        }

        /** Shows neither the caller nor the response. */
        @Override
        public String toString() {
            return "Replay[" + operation + " " + method + "]";
        }

        /** Builds a {@link Replay}, also in tests of a hook. */
        public static final class Builder {

            private final String operation;
            private final String caller;
            private final Answer stored;
            private String method = "GET";
            private String path = "/";
            private Function<String, List<String>> headers = name -> List.of();

            private Builder(String operation, String caller, Answer stored) {
                this.operation = operation;
                this.caller = caller;
                this.stored = stored;
            }

            /** The request that asks. */
            public Builder request(String method, String path, Function<String, List<String>> headers) {
                this.method = method;
                this.path = path;
                this.headers = headers;
                return this;
            }

            public Replay build() {
                return new Replay(this);
            }
        }
    }

    /** What goes out. */
    sealed interface Decision {

        /** The stored response, as it is. */
        record Allow() implements Decision {}

        /** A refusal (403), and nothing of the stored response. */
        record Deny() implements Decision {}

        /** This, made from the stored response. */
        record Instead(Answer answer) implements Decision {}

        static Decision allow() {
            return new Allow();
        }

        static Decision deny() {
            return new Deny();
        }

        static Decision instead(Answer answer) {
            return new Instead(answer);
        }
    }
}
