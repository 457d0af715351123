package dev.semel.engine;

import dev.semel.Key;
import dev.semel.LeaseLostException;
import dev.semel.lease.AttemptSupport;
import dev.semel.lease.LeaseKeeper;
import dev.semel.lease.RunningAttempt;
import dev.semel.observe.Activity;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.Policy;
import dev.semel.spi.Claim;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.StepRecording;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.util.Failures;
import dev.semel.util.Text;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** The attempts that run in this process: how they begin, and how they end. */
public final class Attempts {

    final LeaseKeeper keeper;
    final WaitingDuplicates waiting;

    /** The running attempts, by the key values that they have passed to downstream calls. */
    final Map<String, RunningAttempt> parents = new ConcurrentHashMap<>();

    private final Engine engine;

    Attempts(Engine engine) {
        this.engine = engine;
        this.waiting = new WaitingDuplicates(engine.settings.maxWaiting());
        this.keeper = new LeaseKeeper(
                engine.store.keyStore(),
                engine.store::renew,
                attempt -> engine.tell(new SemelEvent.FencedOff(attempt.subject(), "renew")),
                failure -> engine.tell(new SemelEvent.MaintenanceFailed("renew", failure)));
    }

    public LeaseKeeper keeper() {
        return keeper;
    }

    /** The attempts that are running and waiting at this moment. */
    public Activity activity() {
        List<RunningAttempt> attempts = keeper.attempts();
        long now = System.nanoTime();
        long longest = attempts.stream()
                .mapToLong(attempt -> now - attempt.startedAt())
                .max()
                .orElse(0);
        return new Activity(attempts.size(), Duration.ofNanos(Math.max(0, longest)), waiting.count());
    }

    /** From here until {@link #end} the heartbeat keeps the lease and local duplicates wait for the end. */
    public RunningAttempt begin(Key key, Policy policy, Claim.Acquired acquired, long askedAt) {
        RunningAttempt attempt = new RunningAttempt(
                key,
                policy.operation(),
                acquired.lease(),
                acquired.steps(),
                new DurableSupport(policy),
                askedAt,
                policy.lease());
        keeper.keep(attempt, policy.lease());
        waiting.started(attempt);
        return attempt;
    }

    public void end(RunningAttempt attempt) {
        keeper.drop(attempt);
        attempt.children().forEach(child -> parents.remove(child, attempt));
        waiting.ended(attempt);
    }

    /**
     * Makes sure that an attempt ends, whatever goes wrong: otherwise the heartbeat would keep its key in flight
     * forever.
     */
    <R> CompletionStage<R> ending(RunningAttempt attempt, Supplier<CompletionStage<R>> work) {
        try {
            return work.get();
        } catch (Throwable e) {
            return leaveToLapse(attempt).thenCompose(left -> CompletableFuture.failedStage(e));
        }
    }

    /**
     * Ends an attempt that had no effect of its own. If a step was finished before, by this attempt or an earlier one,
     * the key is left to lapse instead: released, it would forget the step, and the next attempt would run it again.
     */
    public CompletionStage<Boolean> notExecuted(RunningAttempt attempt) {
        return attempt.hasSteps() ? leaveToLapse(attempt) : release(attempt);
    }

    /** Stops the heartbeat, so that the lease lapses. The next claim then follows the recovery of the policy. */
    CompletionStage<Boolean> leaveToLapse(RunningAttempt attempt) {
        attempt.markEnding();
        end(attempt);
        return CompletableFuture.completedStage(false);
    }

    /** Releases the key of an attempt. Its caller waits for a while; after that it is tried in the background. */
    private CompletionStage<Boolean> release(RunningAttempt attempt) {
        attempt.markEnding();
        CompletableFuture<Boolean> released = engine.store
                .release(attempt.lease(), engine.settings.settleGiveUp())
                .handle((given, failure) -> {
                    end(attempt);
                    engine.tell(
                            failure == null
                                    ? new SemelEvent.Released(attempt.subject())
                                    : settleFailed(attempt, failure));
                    return failure == null && given;
                });
        return engine.deadlines.within(engine.settings.settlePatience(), released, answer -> answer.complete(false));
    }

    static SemelEvent.OfKey settleFailed(RunningAttempt attempt, Throwable failure) {
        return new SemelEvent.SettleFailed(attempt.subject(), Failures.unwrap(failure));
    }

    /** The support of an attempt whose claim is durable: its steps are recorded, its lease can be renewed. */
    private final class DurableSupport implements AttemptSupport {

        private final Policy policy;

        private DurableSupport(Policy policy) {
            this.policy = policy;
        }

        @Override
        public void requireSteps() {
            recording();
        }

        private StepRecording recording() {
            return KeyStore.capability(engine.store.keyStore(), StepRecording.class)
                    .orElseThrow(() -> new IllegalStateException("the store "
                            + engine.store.keyStore().getClass().getName() + " cannot record steps; use one that can"));
        }

        @Override
        public CompletionStage<?> record(Lease lease, String name, byte[] result) {
            if (result.length > policy.maxPayload()) {
                throw new PayloadTooLargeException("step " + Text.quote(name) + " ran, but its result of "
                        + result.length + " bytes exceeds maxPayload, " + policy.maxPayload());
            }
            return engine.store.recordStep(recording(), lease, name, result).thenAccept(recorded -> {
                if (!recorded) {
                    engine.tell(new SemelEvent.FencedOff(
                            SemelEvent.Subject.of(policy.operation(), lease.digest())
                                    .attempt(lease.attempt(), lease.token()),
                            "step"));
                    throw new LeaseLostException(lease.digest(), lease.token());
                }
            });
        }

        @Override
        public CompletionStage<?> renew(RunningAttempt attempt) {
            return keeper.confirm(attempt, policy.lease());
        }

        @Override
        public void named(String child, RunningAttempt parent) {
            parents.put(child, parent);
        }

        @Override
        public Executor executor() {
            return engine.executor;
        }
    }
}
