package dev.semel.engine;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.KeyClaim;
import dev.semel.lease.RunningAttempt;
import dev.semel.observe.SemelEvent;
import dev.semel.spi.Claim;
import dev.semel.util.Durations;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A call whose claim, business writes and settle are one commit, perhaps that of its caller: a crash leaves nothing
 * behind.
 */
final class SingleTransactionFlow<C, T> extends Flow<T> {

    private final SettlingTransaction<C, T> work;
    private final boolean joined;

    SingleTransactionFlow(Engine engine, OutcomeEncoder<T> encoder, Call call, SettlingTransaction<C, T> work) {
        super(engine, encoder, call);
        this.work = work;
        this.joined = work.joinsRunning();
    }

    @Override
    CompletionStage<KeyClaim<T>> attemptOnce() {
        SettlingTransaction.Progress<T> progress = new SettlingTransaction.Progress<>();
        AtomicReference<@Nullable RunningAttempt> running = new AtomicReference<>();
        try {
            long sentAt = System.nanoTime();
            Object result = work.inTransaction(this, transaction -> {
                Claim claim = work.joining().claim(transaction, request);
                if (!(claim instanceof Claim.Acquired acquired)) {
                    return claim;
                }
                RunningAttempt attempt =
                        RunningAttempt.inTransaction(call.key(), policy.operation(), acquired, sentAt, policy.lease());
                running.set(attempt);
                tell(new SemelEvent.Claimed(attempt.subject(), Durations.since(sentAt)));
                return work.runAndSettle(this, transaction, attempt, progress);
            });
            if (result instanceof Claim claim) {
                return CompletableFuture.completedStage(refused(claim));
            }
            @SuppressWarnings("unchecked")
            Execution.Executed<T> executed = (Execution.Executed<T>) result;
            tellSettled(Objects.requireNonNull(running.get()), executed.outcome(), System.nanoTime());
            return CompletableFuture.completedStage(answer(executed));
        } catch (Exception | Error e) {
            RunningAttempt attempt = running.get();
            if (attempt == null) {
                return CompletableFuture.failedStage(e);
            }
            if (!joined) {
                return work.afterFailure(this, attempt, progress, e).thenApply(this::answer);
            }
            // Neither looks the key up nor gives it back: that takes a second connection, and the claim ends with the
            // caller's transaction, which is going to be rolled back.
            return attempt.isLeaseLost()
                    ? CompletableFuture.completedStage(answer(lost(attempt)))
                    : CompletableFuture.failedStage(e);
        }
    }
}
