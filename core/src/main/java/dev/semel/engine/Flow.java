package dev.semel.engine;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.KeyClaim;
import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.lease.RunningAttempt;
import dev.semel.observe.SemelEvent;
import dev.semel.observe.Tracing;
import dev.semel.policy.Duplicates;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.util.CallerThread;
import dev.semel.util.Durations;
import dev.semel.util.Failures;
import dev.semel.util.TraceText;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call through the engine: try to get the key; if another attempt has it, answer from what is known about it,
 * or wait and try again.
 */
abstract class Flow<T> {

    final Engine engine;
    final Call call;
    final Policy policy;
    final ClaimRequest request;
    final OutcomeEncoder<T> encoder;
    final Tracing.Trace trace;

    /** How the call ends. */
    final CompletableFuture<Execution<T>> execution = new CompletableFuture<>();

    private final long arrivedAt = System.nanoTime();
    private int looks;

    Flow(Engine engine, OutcomeEncoder<T> encoder, Call call) {
        this.engine = engine;
        this.call = call;
        this.policy = encoder.policy();
        this.trace = engine.events.begin(engine.tracing, policy, call);
        this.request = ClaimRequest.builder(call.key(), policy.operation(), fingerprint())
                .lease(policy.lease())
                .retention(policy.retention())
                .takeOver(takesOver())
                .traceId(TraceText.join(trace.id() == null ? call.traceId() : trace.id(), call.about()))
                .build();
        this.encoder = encoder;
    }

    private Fingerprint fingerprint() {
        Fingerprint plain = call.fingerprint().forOperation(policy.identity());
        return engine.fingerprintKey == null ? plain : plain.withKey(engine.fingerprintKey);
    }

    /** Whether a claim may take over a lapsed lease; the recovery decides what it then does. */
    final boolean takesOver() {
        return policy.recovery() != Recovery.HOLD;
    }

    /** Asks once for the key. */
    abstract CompletionStage<KeyClaim<T>> attemptOnce();

    /** Claims on the calling thread, which waits for the store but not for another call. */
    final KeyClaim<T> claim() {
        try {
            KeyClaim<T> claim = CallerThread.await(attemptOnce());
            return claim instanceof OwnedCall<T> owned ? owned.onceAlive() : claim;
        } catch (Throwable e) {
            ended(null, e);
            throw e;
        }
    }

    /** Claims on the calling thread, which also waits for another call if it may. */
    final KeyClaim<T> claimPatiently() {
        KeyClaim<T> claim = claim();
        return claim instanceof WaitingCall<T> waiting ? waiting.await() : claim;
    }

    /** Claims without a thread, and waits for another call if it may. Where this fails, the call has ended. */
    final void claimLater(Consumer<OwnedCall<T>> owner) {
        attemptOnce().whenComplete((claim, failure) -> claimed(claim, failure, owner));
    }

    private void claimed(@Nullable KeyClaim<T> claim, @Nullable Throwable failure, Consumer<OwnedCall<T>> owner) {
        if (failure != null) {
            ended(null, failure);
        } else if (claim instanceof WaitingCall<T> waiting) {
            waiting.later(true).whenComplete((after, failed) -> claimed(after, failed, owner));
        } else if (claim instanceof OwnedCall<T> owned) {
            owner.accept(owned);
        }
    }

    /** The answer to a caller that did not get the key. */
    final KeyClaim<T> refused(Claim claim) {
        if (claim instanceof Claim.InFlight inFlight) {
            return inFlight(inFlight);
        }
        if (claim instanceof Claim.Settled settled) {
            return replay(settled);
        }
        if (claim instanceof Claim.Mismatch) {
            tell(new SemelEvent.Mismatched(subject()));
            return answer(new Execution.Mismatched<>());
        }
        if (claim instanceof Claim.Expired) {
            tell(new SemelEvent.Expired(subject()));
            return answer(new Execution.Expired<>());
        }
        return unknown();
    }

    final KeyClaim<T> unknown() {
        tell(new SemelEvent.Unknown(subject()));
        return answer(new Execution.Unknown<>());
    }

    private KeyClaim<T> replay(Claim.Settled settled) {
        tell(new SemelEvent.Replayed(
                subject(), settled.outcome().result(), Durations.since(arrivedAt), settled.traceId()));
        return answer(
                new Execution.Replayed<>(settled.outcome(), settled.settledAt(), settled.expiresAt(), encoder.codec()));
    }

    private KeyClaim<T> inFlight(Claim.InFlight claim) {
        Duplicates duplicates = Objects.requireNonNullElse(call.duplicates(), policy.duplicates());
        if (!(duplicates instanceof Duplicates.Wait wait)) {
            return answerInFlight(claim);
        }
        Duration left = wait.limit().minus(Durations.since(arrivedAt));
        if (left.isZero() || left.isNegative()) {
            tell(new SemelEvent.WaitTimedOut(subject(), Durations.since(arrivedAt)));
            return answerInFlight(claim);
        }
        return new WaitingCall<>(this, claim, left);
    }

    final KeyClaim<T> answerInFlight(Claim.InFlight claim) {
        tell(new SemelEvent.InFlight(subject(), claim.age()));
        return answer(new Execution.InFlight<>(claim.age(), claim.leaseLeft()));
    }

    /** Completes when it is worth looking again; {@code null} if too many wait already. */
    final @Nullable CompletionStage<Void> nextLook(Duration longest) {
        if (!engine.attempts.waiting.enter()) {
            return null;
        }
        return engine.attempts
                .waiting
                .nextLook(digest(), looks++, longest)
                .whenComplete((woken, never) -> engine.attempts.waiting.leave());
    }

    /** Ends a call that has run nothing. */
    final Execution<T> answer(Execution<T> given) {
        ended(given, null);
        return given;
    }

    /** The call has ended, in one way or another; only the first end counts. */
    final void ended(@Nullable Execution<T> given, @Nullable Throwable failure) {
        if (!engine.calls.remove(this)) {
            return;
        }
        engine.events.end(trace, given, failure);
        if (failure == null) {
            execution.complete(Objects.requireNonNull(given));
        } else {
            execution.completeExceptionally(Failures.unwrap(failure));
        }
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

    final SemelEvent.Subject subject() {
        return SemelEvent.Subject.of(policy.operation(), digest());
    }

    final KeyDigest digest() {
        return call.key().digest();
    }
}
