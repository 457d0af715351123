package dev.semel.engine;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.lease.RunningAttempt;
import dev.semel.observe.SemelEvent;
import dev.semel.observe.Tracing;
import dev.semel.policy.Duplicates;
import dev.semel.policy.Policy;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.util.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The way of one call through the engine: try to get the key; if somebody else has it, answer from what is known of it,
 * or wait and try again.
 */
abstract class Flow<T> {

    /** The part of a lease in which a call that can no longer run has stopped waiting. */
    private static final int LAPSE_MARGIN = 4;

    final Engine engine;
    final Call call;
    final Policy policy;
    final Executor executor;
    final ClaimRequest request;
    final OutcomeEncoder<T> encoder;
    final Tracing.Trace trace;
    private final long arrivedAt = System.nanoTime();
    private int looks;

    Flow(Engine engine, OutcomeEncoder<T> encoder, Call call, Executor executor) {
        this.engine = engine;
        this.call = call;
        this.policy = encoder.policy();
        this.executor = executor;
        this.trace = engine.events.begin(engine.tracing, policy, call);
        this.request = engine.request(policy, call, trace);
        this.encoder = encoder;
    }

    /** Tries once to get the key and, having it, runs the operation. */
    abstract CompletionStage<Execution<T>> attemptOnce();

    /** What to answer when the key could not be had. */
    final CompletionStage<Execution<T>> refused(Claim claim) {
        if (claim instanceof Claim.InFlight inFlight) {
            return inFlight(inFlight);
        }
        if (claim instanceof Claim.Settled settled) {
            return replay(settled);
        }
        if (claim instanceof Claim.Mismatch) {
            tell(new SemelEvent.Mismatched(subject()));
            return CompletableFuture.completedStage(new Execution.Mismatched<>());
        }
        if (claim instanceof Claim.Expired) {
            tell(new SemelEvent.Expired(subject()));
            return CompletableFuture.completedStage(new Execution.Expired<>());
        }
        return unknown();
    }

    final CompletionStage<Execution<T>> unknown() {
        tell(new SemelEvent.Unknown(subject()));
        return CompletableFuture.completedStage(new Execution.Unknown<>());
    }

    final CompletionStage<Execution<T>> replay(Claim.Settled settled) {
        tell(new SemelEvent.Replayed(
                subject(), settled.outcome().result(), Durations.since(arrivedAt), settled.traceId()));
        return CompletableFuture.completedStage(
                new Execution.Replayed<>(settled.outcome(), settled.settledAt(), settled.expiresAt(), encoder.codec()));
    }

    private CompletionStage<Execution<T>> inFlight(Claim.InFlight claim) {
        Duplicates duplicates = Objects.requireNonNullElse(call.duplicates(), policy.duplicates());
        if (!(duplicates instanceof Duplicates.Wait wait)) {
            return answerInFlight(claim);
        }
        Duration left = wait.limit().minus(Durations.since(arrivedAt));
        if (left.isZero() || left.isNegative()) {
            tell(new SemelEvent.WaitTimedOut(subject(), Durations.since(arrivedAt)));
            return answerInFlight(claim);
        }
        left = withoutTakingOver(claim, left);
        if (left.isNegative()) {
            return answerInFlight(claim);
        }
        if (looks == 0) {
            call.onWait().run();
        }
        if (!engine.waiting.enter()) {
            return answerInFlight(claim);
        }
        return engine.waiting
                .nextLook(digest(), looks++, left)
                .whenComplete((woken, never) -> engine.waiting.leave())
                .thenCompose(woken -> attemptOnce());
    }

    /**
     * How long a call may wait that can no longer run: it must not be the one that finds the key lapsed, because it could
     * only let it lapse again. A living owner renews its lease long before only this margin is left.
     */
    private Duration withoutTakingOver(Claim.InFlight claim, Duration left) {
        if (call.runsAfterWaiting() || !Engine.takesOver(policy)) {
            return left;
        }
        Duration alive = claim.leaseLeft().minus(policy.lease().dividedBy(LAPSE_MARGIN));
        return alive.compareTo(left) < 0 ? alive : left;
    }

    private CompletionStage<Execution<T>> answerInFlight(Claim.InFlight claim) {
        tell(new SemelEvent.InFlight(subject(), claim.age()));
        return CompletableFuture.completedStage(new Execution.InFlight<>(claim.age(), claim.leaseLeft()));
    }

    /** The result of an attempt that lost its key. The attempt that owns the key now decides the outcome. */
    final Execution<T> lost(RunningAttempt attempt) {
        return new Execution.LeaseLost<>(Durations.since(attempt.startedAt()), policy.lease());
    }

    final void tellFencedOff(RunningAttempt attempt, String write) {
        attempt.markLeaseLost();
        tell(new SemelEvent.FencedOff(attempt.subject(), write));
    }

    final void tellSettled(RunningAttempt attempt, Outcome outcome, long sentAt) {
        tell(new SemelEvent.Settled(
                attempt.subject(),
                outcome.result(),
                policy.retentionOf(outcome),
                Duration.ofNanos(sentAt - attempt.startedAt()),
                Durations.since(sentAt)));
    }

    final void tell(SemelEvent.OfKey event) {
        engine.events.tell(event, trace);
    }

    final void ended(@Nullable Execution<T> execution, @Nullable Throwable failure) {
        engine.events.end(trace, execution, failure);
    }

    final SemelEvent.Subject subject() {
        return SemelEvent.Subject.of(policy.operation(), digest());
    }

    final KeyDigest digest() {
        return call.key().digest();
    }
}
