package dev.semel.http;

import dev.semel.Attempt;
import java.util.concurrent.CompletionStage;

/**
 * The application behind the gate, called at most once per request.
 *
 * <p>A stage that fails means that no response was made: the gate then answers with a problem, which is stored unless
 * the failure means that nothing was executed.
 */
@FunctionalInterface
public interface HttpHandler {

    CompletionStage<HandlerResponse> handle(Attempt attempt);

    /** Is told, on any thread, that the request waits for the outcome of another, which may take long. */
    default void waiting() {}

    /** Whether the application can still be run when the request has waited; asked before the key is claimed. */
    default boolean runsAfterWaiting() {
        return true;
    }
}
