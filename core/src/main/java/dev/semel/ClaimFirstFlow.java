package dev.semel;

import dev.semel.spi.Claim;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** A call whose claim is durable before its operation starts: claim, recover if an owner died, run, settle. */
final class ClaimFirstFlow<T> extends Flow<T> {

    private final Body<T> body;

    /** Whether the store has told this call anything of its key. */
    private boolean answered;

    ClaimFirstFlow(Engine engine, Call<T> call, Executor executor, Body<T> body) {
        super(engine, call, executor);
        this.body = body;
    }

    @Override
    CompletionStage<Execution<T>> attemptOnce() {
        long sentAt = System.nanoTime();
        return engine.claim(request)
                .handle((claim, failure) -> failure == null ? act(claim, sentAt) : storeDown(failure))
                .thenCompose(execution -> execution);
    }

    private CompletionStage<Execution<T>> act(Claim claim, long sentAt) {
        answered = true;
        if (!(claim instanceof Claim.Acquired acquired)) {
            return refused(claim);
        }
        int number = acquired.lease().attempt();
        tell(new SemelEvent.Claimed(
                policy.operation(), digest(), number, acquired.lease().token(), Engine.since(sentAt)));
        RunningAttempt attempt = engine.begin(call.key(), policy, acquired);
        return ending(attempt, () -> number == 1 ? body.run(this, attempt) : recover(attempt));
    }

    /** Whatever goes wrong with an attempt, it ends: the heartbeat would keep its key in flight for ever. */
    CompletionStage<Execution<T>> ending(RunningAttempt attempt, Supplier<CompletionStage<Execution<T>>> work) {
        try {
            return work.get();
        } catch (Throwable e) {
            return engine.leaveToLapse(attempt).thenCompose(left -> CompletableFuture.failedStage(e));
        }
    }

    private CompletionStage<Execution<T>> recover(RunningAttempt attempt) {
        tell(new SemelEvent.TakenOver(policy.operation(), digest(), attempt.number(), attempt.token()));
        return switch (policy.recovery()) {
            case RE_EXECUTE, HOLD -> body.run(this, attempt);
            case RECONCILE -> reconcile(attempt);
            case FAIL -> settleForEarlierAttempt(attempt, Recoveries.DIED);
        };
    }

    private CompletionStage<Execution<T>> reconcile(RunningAttempt attempt) {
        return engine.reconcile(
                        new Reconciler.Case(
                                call.key(), policy.operation(), call.fingerprint(), attempt.number(), Duration.ZERO),
                        () -> {})
                .thenCompose(verdict -> ending(attempt, () -> act(attempt, verdict)));
    }

    private CompletionStage<Execution<T>> act(RunningAttempt attempt, Reconciler.Verdict verdict) {
        if (verdict instanceof Reconciler.Verdict.Done done) {
            return settleForEarlierAttempt(attempt, done.outcome());
        }
        if (verdict instanceof Reconciler.Verdict.NotExecuted) {
            return body.run(this, attempt);
        }
        attempt.markEnding();
        return engine.abandon(attempt.lease())
                .whenComplete((abandoned, failure) -> {
                    engine.end(attempt);
                    tell(new SemelEvent.Abandoned(policy.operation(), digest(), failure));
                })
                .thenCompose(abandoned -> unknown());
    }

    /** Stores what the attempt before this one ended with, and replays it. */
    private CompletionStage<Execution<T>> settleForEarlierAttempt(RunningAttempt attempt, Outcome outcome) {
        attempt.markEnding();
        return engine.settle(attempt.lease(), outcome, policy.retention(), engine.settings.settlePatience())
                .whenComplete((settled, failure) -> engine.end(attempt))
                .thenCompose(settled -> attemptOnce());
    }

    /** A policy may allow to run a key of which nothing is known. One that was done, or is running, is known. */
    private CompletionStage<Execution<T>> storeDown(Throwable failure) {
        Throwable cause = Failures.unwrap(failure);
        engine.orphans.add(request);
        if (answered
                || policy.whenStoreIsDown() == WhenStoreIsDown.CLOSED
                || !(cause instanceof StoreUnavailableException)) {
            return CompletableFuture.failedStage(cause);
        }
        tell(new SemelEvent.Unprotected(policy.operation(), digest(), cause));
        return body.runUnprotected(this, RunningAttempt.unprotected(call.key(), policy.operation()));
    }

    /** What is done with the key once this call has it. It ends the attempt, whatever happens. */
    interface Body<T> {

        CompletionStage<Execution<T>> run(ClaimFirstFlow<T> flow, RunningAttempt attempt);

        CompletionStage<Execution<T>> runUnprotected(ClaimFirstFlow<T> flow, RunningAttempt attempt);
    }
}
