package dev.semel.http.stored;

import dev.semel.http.problem.Answer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Lets the application check or complete a stored response before it is replayed: it can refuse a caller whose rights
 * were withdrawn, and add parts that are not stored.
 *
 * <p>It is called for every replay, including those of the status resource. If it fails, or does not answer within 10
 * seconds, the caller gets 503 and nothing of the response.
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

        /** Starts building a replay of this answer, by default to a {@code GET /}. */
        public static Builder builder(String operation, String caller, Answer stored) {
            return new Builder(operation, caller, stored);
        }

        /** The operation's name. */
        public String operation() {
            return operation;
        }

        /** The caller whose key it is. */
        public String caller() {
            return caller;
        }

        /** The method of the request that is answered. */
        public String method() {
            return method;
        }

        /** The path of the request that is answered, as it was sent. For the status resource, this is its own path. */
        public String path() {
            return path;
        }

        /** Returns all header lines of that request with this name. */
        public Function<String, List<String>> headers() {
            return headers;
        }

        /** The response that would be sent, with all headers. */
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

            /** The request that is answered. */
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

    /** The decision about a replay. */
    sealed interface Decision {

        /** Sends the stored response unchanged. */
        record Allow() implements Decision {}

        /** Refuses the caller with 403, and sends nothing of the stored response. */
        record Deny() implements Decision {}

        /** Sends this answer, which you derive from the stored response. */
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
