package dev.semel.lease;

import dev.semel.spi.Lease;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The support of an attempt that no other process can see: it runs unprotected, or in a transaction with its claim.
 *
 * @param whyNoSteps why a step is refused, or {@code null} if it runs and is not recorded
 */
record NoSupport(@Nullable String whyNoSteps) implements AttemptSupport {

    static final NoSupport UNPROTECTED = new NoSupport(null);

    static final NoSupport IN_TRANSACTION = new NoSupport(
            "steps are not recorded in a single transaction: after a crash there is nothing to recover them from");

    @Override
    public void requireSteps() {
        if (whyNoSteps != null) {
            throw new IllegalStateException(whyNoSteps);
        }
    }

    @Override
    public CompletionStage<?> record(Lease lease, String name, byte[] result) {
        return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<?> renew(RunningAttempt attempt) {
        return CompletableFuture.completedStage(null);
    }

    @Override
    public void named(String child, RunningAttempt parent) {
        // Nothing is asked about it: it has no lease of its own that could lapse.
    }

    @Override
    public Executor executor() {
        return Runnable::run;
    }
}
