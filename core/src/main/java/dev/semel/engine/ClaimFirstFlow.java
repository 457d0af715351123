package dev.semel.engine;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.LeaseLostException;
import dev.semel.Outcome;
import dev.semel.lease.RunningAttempt;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.Reconciler;
import dev.semel.policy.Recovery;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.store.StoreUnavailableException;
import dev.semel.util.Durations;
import dev.semel.util.Failures;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A call whose claim is durable before its operation starts: claim, recover if an owner died, run, settle. */
final class ClaimFirstFlow<T> extends Flow<T> {

    private final Body<T> body;

    /** Whether the store has told this call anything of its key. */
    private boolean answered;

    /** How long the key had been lapsed when this call took it over. */
    private @Nullable Duration lapsedFor;

    ClaimFirstFlow(Engine engine, OutcomeEncoder<T> encoder, Call call, Executor executor, Body<T> body) {
        super(engine, encoder, call, executor);
        this.body = body;
    }

    @Override
    CompletionStage<Execution<T>> attemptOnce() {
        return claim(looksFirst() ? request.withoutTakeOver() : request);
    }

    private CompletionStage<Execution<T>> claim(ClaimRequest sent) {
        long sentAt = System.nanoTime();
        return engine.claim(sent)
                .handle((claim, failure) -> failure == null ? act(claim, sentAt) : storeDown(failure))
                .thenCompose(execution -> execution);
    }

    /** A reconciler needs to know how long ago the lease ended, and a takeover overwrites that. */
    private boolean looksFirst() {
        return policy.recovery() == Recovery.RECONCILE && lapsedFor == null && engine.inspecting != null;
    }

    /** Takes over a lapsed key whose record was looked at before. One that is unknown is left as it is. */
    private CompletionStage<Execution<T>> takeOverIfLapsed(Inspecting inspecting) {
        return engine.retry
                .repeat(() -> inspecting.find(digest()), engine.settings.claimPatience())
                .thenCompose(found -> {
                    KeyRecord record = found.orElse(null);
                    if (record == null || record.state() != KeyState.LAPSED) {
                        return record == null ? attemptOnce() : unknown();
                    }
                    return engine.lapsedFor(inspecting, record).thenCompose(age -> {
                        lapsedFor = age;
                        return claim(request);
                    });
                });
    }

    private CompletionStage<Execution<T>> act(Claim claim, long sentAt) {
        answered = true;
        Inspecting inspecting = engine.inspecting;
        if (claim instanceof Claim.Unknown && looksFirst() && inspecting != null) {
            return takeOverIfLapsed(inspecting);
        }
        if (!(claim instanceof Claim.Acquired acquired)) {
            return refused(claim);
        }
        int number = acquired.lease().attempt();
        tell(new SemelEvent.Claimed(subject().attempt(number, acquired.lease().token()), Durations.since(sentAt)));
        RunningAttempt attempt = engine.begin(call.key(), policy, acquired, sentAt);
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
        tell(new SemelEvent.TakenOver(attempt.subject()));
        return switch (policy.recovery()) {
            case RE_EXECUTE, HOLD -> body.run(this, attempt);
            case RECONCILE -> reconcile(attempt);
            case FAIL -> settleForEarlierAttempt(attempt, Engine.DIED);
        };
    }

    private CompletionStage<Execution<T>> reconcile(RunningAttempt attempt) {
        return engine.reconcile(
                        Reconciler.Case.builder(call.key(), policy.operation(), request.fingerprint())
                                .attempt(attempt.number() - 1)
                                .age(Objects.requireNonNullElse(lapsedFor, Duration.ZERO))
                                .build(),
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
                    tell(new SemelEvent.Abandoned(attempt.subject(), failure));
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
        boolean down = cause instanceof StoreUnavailableException;
        if (!(cause instanceof StoreUnavailableException unavailable && unavailable.isNotSent())) {
            engine.orphanedClaims.add(request);
        }
        if (answered || !down || policy.whenStoreIsDown() == WhenStoreIsDown.CLOSED || isOrphaned()) {
            return CompletableFuture.failedStage(cause);
        }
        tell(new SemelEvent.Unprotected(subject(), cause));
        return body.runUnprotected(this, RunningAttempt.unprotected(call.key(), policy.operation()));
    }

    /** Whether this call is nested in an attempt whose key may be somebody else's by now. */
    private boolean isOrphaned() {
        RunningAttempt parent = engine.parents.get(call.key().value());
        return parent != null && !parent.isLeaseAlive();
    }

    /**
     * Starts work on the executor, under a lease that is alive at that moment: one that may have lapsed while the work
     * waited for a thread is renewed first. Completes with {@link NotStartedException} or {@link LeaseLostException} if
     * the work was not started.
     */
    <R> CompletableFuture<R> start(RunningAttempt attempt, Callable<CompletionStage<R>> work) {
        CompletableFuture<R> ended = new CompletableFuture<>();
        submit(attempt, work, ended);
        return ended;
    }

    /** Either starts the work or refuses it: an executor that fails may have the task in its queue all the same. */
    private <R> void submit(RunningAttempt attempt, Callable<CompletionStage<R>> work, CompletableFuture<R> ended) {
        AtomicBoolean decided = new AtomicBoolean();
        try {
            executor.execute(() -> {
                if (decided.compareAndSet(false, true)) {
                    startIfAlive(attempt, work, ended);
                }
            });
        } catch (Throwable e) {
            if (decided.compareAndSet(false, true)) {
                ended.completeExceptionally(new NotStartedException(
                        "the executor of operation " + policy.operation() + " did not start it", e, attempt));
            }
        }
    }

    private <R> void startIfAlive(
            RunningAttempt attempt, Callable<CompletionStage<R>> work, CompletableFuture<R> ended) {
        if (attempt.isLeaseAlive()) {
            begin(work, ended);
            return;
        }
        engine.keeper.confirm(attempt, policy.lease()).whenComplete((alive, failure) -> {
            if (failure == null) {
                submit(attempt, work, ended);
                return;
            }
            Throwable cause = Failures.unwrap(failure);
            ended.completeExceptionally(
                    cause instanceof LeaseLostException
                            ? cause
                            : new NotStartedException(
                                    "operation " + policy.operation()
                                            + " was not started: the store did not confirm that its lease is held",
                                    cause,
                                    attempt));
        });
    }

    /** Hands on what the work ends with as it is: a stage behind a failed one would ask it for its message. */
    private static <R> void begin(Callable<CompletionStage<R>> work, CompletableFuture<R> ended) {
        try {
            work.call()
                    .handle((value, failure) ->
                            failure == null ? ended.complete(value) : ended.completeExceptionally(failure));
        } catch (Throwable e) {
            ended.completeExceptionally(e);
        }
    }

    /** What is done with the key once this call has it. It ends the attempt, whatever happens. */
    interface Body<T> {

        CompletionStage<Execution<T>> run(ClaimFirstFlow<T> flow, RunningAttempt attempt);

        CompletionStage<Execution<T>> runUnprotected(ClaimFirstFlow<T> flow, RunningAttempt attempt);
    }
}
