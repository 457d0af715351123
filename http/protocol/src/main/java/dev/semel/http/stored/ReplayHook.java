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

    /**
     * A replay that is about to happen.
     *
     * @param operation the operation's name
     * @param caller whose key it is
     * @param method the method of the request that asks
     * @param path the path of the request that asks, as it was sent; that of the status resource if it asks there
     * @param headers gives all field lines of a name of that request
     * @param stored what would go out, with all headers
     */
    record Replay(
            String operation,
            String caller,
            String method,
            String path,
            Function<String, List<String>> headers,
            Answer stored) {

        /** Shows neither the caller nor the response. */
        @Override
        public String toString() {
            return "Replay[" + operation + " " + method + "]";
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
