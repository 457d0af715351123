package dev.semel.engine;

import dev.semel.Call;
import dev.semel.KeyClaim;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A call whose claim is durable before its operation starts: claim, and recover if an owner died. */
final class ClaimFirstFlow<T> extends Flow<T> {

    /** Whether the store has answered this call about its key. */
    private boolean answered;

    /** How long the key had been lapsed when this call took it over. */
    private @Nullable Duration lapsedFor;

    ClaimFirstFlow(Engine engine, OutcomeEncoder<T> encoder, Call call) {
        super(engine, encoder, call);
    }

    @Override
    CompletionStage<KeyClaim<T>> attemptOnce() {
        return claim(looksFirst() ? request.withoutTakeOver() : request);
    }

    private CompletionStage<KeyClaim<T>> claim(ClaimRequest sent) {
        long sentAt = System.nanoTime();
        CompletableFuture<Claim> answer = engine.store.claim(sent);
        if (answer.isDone() && !answer.isCompletedExceptionally()) {
            try {
                return act(answer.join(), sentAt);
            } catch (Throwable e) {
                return CompletableFuture.failedStage(e);
            }
        }
        return answer.handle((claim, failure) -> failure == null ? act(claim, sentAt) : storeDown(failure))
                .thenCompose(next -> next);
    }

    /** A reconciler needs to know how long ago the lease ended, and a takeover overwrites that. */
    private boolean looksFirst() {
        return policy.recovery() == Recovery.RECONCILE && lapsedFor == null && engine.store.inspecting() != null;
    }

    /** Takes over a lapsed key whose record was looked at before. One that is unknown is left as it is. */
    private CompletionStage<KeyClaim<T>> takeOverIfLapsed(Inspecting inspecting) {
        return engine.store.find(inspecting, digest()).thenCompose(found -> {
            KeyRecord record = found.orElse(null);
            if (record == null || record.state() != KeyState.LAPSED) {
                return record == null ? attemptOnce() : CompletableFuture.completedStage(unknown());
            }
            return engine.store.lapsedFor(inspecting, record).thenCompose(age -> {
                lapsedFor = age;
                return claim(request);
            });
        });
    }

    private CompletionStage<KeyClaim<T>> act(Claim claim, long sentAt) {
        answered = true;
        Inspecting inspecting = engine.store.inspecting();
        if (claim instanceof Claim.Unknown && looksFirst() && inspecting != null) {
            return takeOverIfLapsed(inspecting);
        }
        if (!(claim instanceof Claim.Acquired acquired)) {
            return CompletableFuture.completedStage(refused(claim));
        }
        int number = acquired.lease().attempt();
        tell(new SemelEvent.Claimed(subject().attempt(number, acquired.lease().token()), Durations.since(sentAt)));
        RunningAttempt attempt = engine.attempts.begin(call.key(), policy, acquired, sentAt);
        return engine.attempts.ending(attempt, () -> number == 1 ? own(attempt) : recover(attempt));
    }

    private CompletionStage<KeyClaim<T>> own(RunningAttempt attempt) {
        return CompletableFuture.completedFuture(new OwnedCall<>(this, attempt));
    }

    private CompletionStage<KeyClaim<T>> recover(RunningAttempt attempt) {
        tell(new SemelEvent.TakenOver(attempt.subject()));
        return switch (policy.recovery()) {
            case RE_EXECUTE, HOLD -> own(attempt);
            case RECONCILE -> reconcile(attempt);
            case FAIL -> settleForEarlierAttempt(attempt, Engine.DIED);
        };
    }

    private CompletionStage<KeyClaim<T>> reconcile(RunningAttempt attempt) {
        return engine.reconciliation
                .ask(
                        Reconciler.Case.builder(call.key(), policy.operation(), request.fingerprint())
                                .attempt(attempt.number() - 1)
                                .age(Objects.requireNonNullElse(lapsedFor, Duration.ZERO))
                                .build(),
                        () -> {})
                .thenCompose(verdict -> engine.attempts.ending(attempt, () -> act(attempt, verdict)));
    }

    private CompletionStage<KeyClaim<T>> act(RunningAttempt attempt, Reconciler.Verdict verdict) {
        if (verdict instanceof Reconciler.Verdict.Done done) {
            return settleForEarlierAttempt(attempt, done.outcome());
        }
        if (verdict instanceof Reconciler.Verdict.NotExecuted) {
            return own(attempt);
        }
        attempt.markEnding();
        return engine.store
                .abandon(attempt.lease())
                .whenComplete((abandoned, failure) -> {
                    engine.attempts.end(attempt);
                    tell(new SemelEvent.Abandoned(attempt.subject(), failure));
                })
                .thenApply(abandoned -> unknown());
    }

    /** Stores the outcome of the previous attempt, and replays it. */
    private CompletionStage<KeyClaim<T>> settleForEarlierAttempt(RunningAttempt attempt, Outcome outcome) {
        attempt.markEnding();
        return engine.store
                .settle(attempt.lease(), outcome, policy.retention(), engine.settings.settlePatience())
                .whenComplete((settled, failure) -> engine.attempts.end(attempt))
                .thenCompose(settled -> attemptOnce());
    }

    /**
     * A policy may allow a call to run without protection if nothing is known about its key. A key that is settled or
     * running is known.
     */
    private CompletionStage<KeyClaim<T>> storeDown(Throwable failure) {
        Throwable cause = Failures.unwrap(failure);
        boolean down = cause instanceof StoreUnavailableException;
        if (!(cause instanceof StoreUnavailableException unavailable && unavailable.isNotSent())) {
            engine.orphanedClaims.add(request);
        }
        if (answered || !down || policy.whenStoreIsDown() == WhenStoreIsDown.CLOSED || isOrphaned()) {
            return CompletableFuture.failedStage(cause);
        }
        tell(new SemelEvent.Unprotected(subject(), cause));
        return own(RunningAttempt.unprotected(call.key(), policy.operation()));
    }

    /** Whether this call is nested in an attempt whose key may have another owner by now. */
    private boolean isOrphaned() {
        RunningAttempt parent = engine.attempts.parents.get(call.key().value());
        return parent != null && !parent.isLeaseAlive();
    }
}
