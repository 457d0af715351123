package dev.semel.messaging;

import dev.semel.Attempt;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Marks the failure of a handler that ran without a key, so that nothing of it is stored. */
final class UnprotectedFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private UnprotectedFailure(Throwable failure) {
        super(null, failure, false, false);
    }

    Throwable failure() {
        return Objects.requireNonNull(getCause());
    }

    /** The same stage, whose failure says so if the attempt is unprotected. */
    static <T> CompletionStage<T> marked(Attempt attempt, CompletionStage<T> handled) {
        return attempt.number() == 0
                ? handled.exceptionallyCompose(
                        failure -> CompletableFuture.failedStage(new UnprotectedFailure(failure)))
                : handled;
    }
}
