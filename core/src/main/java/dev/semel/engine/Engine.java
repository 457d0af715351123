package dev.semel.engine;

import dev.semel.Call;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OperationFailedException;
import dev.semel.Outcome;
import dev.semel.lease.LeaseKeeper;
import dev.semel.lease.RunningAttempt;
import dev.semel.observe.Activity;
import dev.semel.observe.SemelEvent;
import dev.semel.observe.SemelListener;
import dev.semel.observe.Tracing;
import dev.semel.policy.Policy;
import dev.semel.policy.Reconciler;
import dev.semel.policy.Recovery;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.util.Failures;
import dev.semel.util.Text;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What every call shares: the store behind its repetitions, the heartbeat, the waiting room, the events. */
public final class Engine {

    /** What a key is settled with whose policy is to fail when its owner died. */
    public static final Outcome DIED = new OperationFailedException(
                    "dev.semel.AttemptDied",
                    "the attempt that owned this key died; whether it had an effect is not known")
            .toOutcome();

    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    final KeyStore store;
    final @Nullable Inspecting inspecting;
    final EngineSettings settings;
    final Events events;
    final StoreRetry retry;
    final LeaseKeeper keeper;
    final WaitingDuplicates waiting;
    final OrphanedClaims orphanedClaims;
    final Executor executor;
    final Tracing tracing;

    /** The calls that have not ended. */
    final Set<Flow<?>> calls = ConcurrentHashMap.newKeySet();

    /** The attempts that run, by the key values that they have given to downstream calls. */
    final Map<String, RunningAttempt> parents = new ConcurrentHashMap<>();

    private final Map<String, Reconciler> reconcilers;
    private final byte @Nullable [] fingerprintKey;

    public Engine(
            KeyStore store,
            EngineSettings settings,
            List<SemelListener> listeners,
            Tracing tracing,
            ScheduledExecutorService timer,
            Executor executor,
            Map<String, Reconciler> reconcilers,
            byte @Nullable [] fingerprintKey) {
        this.store = store;
        this.inspecting = KeyStore.capability(store, Inspecting.class).orElse(null);
        this.settings = settings;
        this.events = new Events(listeners);
        this.tracing = tracing;
        this.retry = new StoreRetry(timer, settings.storeTimeout());
        this.executor = executor;
        this.reconcilers = Map.copyOf(reconcilers);
        this.fingerprintKey = fingerprintKey;
        this.waiting = new WaitingDuplicates(settings.maxWaiting());
        this.orphanedClaims = new OrphanedClaims(this);
        this.keeper = new LeaseKeeper(
                store,
                renewal -> retry.repeat(() -> store.renew(List.of(renewal)), settings.claimPatience())
                        .thenApply(renewed -> renewed.contains(renewal.lease())),
                attempt -> events.tell(new SemelEvent.FencedOff(attempt.subject(), "renew")),
                failure -> events.tell(new SemelEvent.MaintenanceFailed("renew", failure)));
    }

    public KeyStore store() {
        return store;
    }

    /** How the store is looked into; {@code null} if it cannot be. */
    public @Nullable Inspecting inspecting() {
        return inspecting;
    }

    public EngineSettings settings() {
        return settings;
    }

    public LeaseKeeper keeper() {
        return keeper;
    }

    /** What this engine is doing at this moment. */
    public Activity activity() {
        List<RunningAttempt> attempts = keeper.attempts();
        long now = System.nanoTime();
        long longest = attempts.stream()
                .mapToLong(attempt -> now - attempt.startedAt())
                .max()
                .orElse(0);
        return new Activity(attempts.size(), Duration.ofNanos(Math.max(0, longest)), waiting.count());
    }

    public void tell(SemelEvent event) {
        events.tell(event);
    }

    ClaimRequest request(Policy policy, Call call, Tracing.Trace trace) {
        return ClaimRequest.builder(call.key(), policy.operation(), fingerprint(policy, call))
                .lease(policy.lease())
                .retention(policy.retention())
                .takeOver(takesOver(policy))
                .traceId(trace.id() == null ? call.traceId() : trace.id())
                .build();
    }

    private Fingerprint fingerprint(Policy policy, Call call) {
        Fingerprint plain = call.fingerprint().forOperation(policy.identity());
        return fingerprintKey == null ? plain : plain.withKey(fingerprintKey);
    }

    public CompletableFuture<Claim> claim(ClaimRequest request) {
        return claim(request, settings.claimPatience(), false);
    }

    /** Asks for a claim of which it is not known whether it was made. */
    CompletableFuture<Claim> claimAgain(ClaimRequest request, Duration patience) {
        return claim(request, patience, true);
    }

    /**
     * After an answer was lost, a key that is held only for this moment may be held by this very claim, whose commit is
     * still under way. It is asked for again, and never taken for somebody else's.
     */
    private CompletableFuture<Claim> claim(ClaimRequest request, Duration patience, boolean lost) {
        return retry.repeat(
                () -> store.claim(request),
                patience,
                lost,
                claim -> !(claim instanceof Claim.InFlight inFlight)
                        || !inFlight.leaseLeft().isZero());
    }

    /** From here until {@link #end} the heartbeat keeps the lease and local duplicates wait for the end. */
    public RunningAttempt begin(Key key, Policy policy, Claim.Acquired acquired, long askedAt) {
        RunningAttempt attempt = new RunningAttempt(
                key,
                policy.operation(),
                acquired.lease(),
                acquired.steps(),
                new EngineSupport(this, policy),
                askedAt,
                policy.lease());
        keeper.keep(attempt, policy.lease());
        waiting.started(key.digest());
        return attempt;
    }

    public void end(RunningAttempt attempt) {
        keeper.drop(attempt);
        attempt.children().forEach(child -> parents.remove(child, attempt));
        waiting.ended(attempt.key().digest());
        attempt.ended().complete(null);
    }

    /** Whatever goes wrong with an attempt, it ends: the heartbeat would keep its key in flight for ever. */
    <R> CompletionStage<R> ending(RunningAttempt attempt, Supplier<CompletionStage<R>> work) {
        try {
            return work.get();
        } catch (Throwable e) {
            return leaveToLapse(attempt).thenCompose(left -> CompletableFuture.failedStage(e));
        }
    }

    /**
     * Asks the application what an attempt did that died; an answer that fails, or does not come, counts as none.
     *
     * @param unanswered is told if no answer came
     */
    public CompletionStage<Reconciler.Verdict> reconcile(Reconciler.Case lapsed, Runnable unanswered) {
        Reconciler reconciler = reconcilers.get(lapsed.operation());
        if (reconciler == null) {
            throw new IllegalStateException("operation " + Text.quote(lapsed.operation())
                    + " has recovery RECONCILE but no reconciler; register one when building the engine");
        }
        String whose = "the reconciler of operation " + Text.quote(lapsed.operation());
        return withinPatience(whose, () -> onExecutor(() -> reconciler.reconcile(lapsed)))
                .thenApply(verdict -> replayable(verdict, lapsed))
                .exceptionally(failure -> {
                    Throwable cause = Failures.unwrap(failure);
                    if (cause instanceof TimeoutException) {
                        unanswered.run();
                    }
                    events.tell(new SemelEvent.MaintenanceFailed("reconcile", cause));
                    return new Reconciler.Verdict.CannotTell();
                });
    }

    /** An outcome that could not be replayed later is not stored: it says that the reconciler is broken, and nothing else. */
    private static Reconciler.Verdict replayable(Reconciler.Verdict verdict, Reconciler.Case lapsed) {
        if (verdict instanceof Reconciler.Verdict.Done done) {
            try {
                done.outcome().requireReplayable();
            } catch (IllegalArgumentException e) {
                LOG.error(
                        "event=invalid_verdict operation={} key={} cause=\"{}\"",
                        lapsed.operation(),
                        lapsed.key().digest(),
                        e.getMessage());
                return new Reconciler.Verdict.CannotTell();
            }
        }
        return verdict;
    }

    /** How long ago the lease of a key's attempt ended, by the store's clock. */
    public CompletionStage<Duration> lapsedFor(Inspecting inspecting, KeyRecord record) {
        return retry.repeat(inspecting::now, settings.claimPatience()).thenApply(now -> {
            Duration age = Duration.between(record.leaseUntil(), now);
            return age.isNegative() ? Duration.ZERO : age;
        });
    }

    private <R> CompletionStage<R> onExecutor(Supplier<CompletionStage<R>> work) {
        return CompletableFuture.supplyAsync(work, executor).thenCompose(answer -> answer);
    }

    /** An answer that nothing else puts a limit to: whoever never gets it would wait, and hold a key, for ever. */
    public <R> CompletionStage<R> withinPatience(String whose, Supplier<CompletionStage<R>> question) {
        Duration patience = settings.answerPatience();
        CompletableFuture<R> answer;
        try {
            answer = question.get().toCompletableFuture();
        } catch (Throwable e) {
            return CompletableFuture.failedStage(e);
        }
        return answer.copy()
                .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedStage(
                        answer.isDone()
                                ? failure
                                : new TimeoutException(whose + " did not answer within " + patience)));
    }

    /** Does a part of the housekeeping; if it fails, that is told, and the next one is done all the same. */
    public CompletionStage<Void> noting(String task, Supplier<CompletionStage<Void>> work) {
        CompletionStage<Void> done;
        try {
            done = work.get();
        } catch (RuntimeException e) {
            done = CompletableFuture.failedStage(e);
        }
        return done.exceptionally(failure -> {
            events.tell(new SemelEvent.MaintenanceFailed(task, Failures.unwrap(failure)));
            return null;
        });
    }

    public boolean canReconcile(String operation) {
        return reconcilers.containsKey(operation);
    }

    /** Gives back a key that no attempt of this process runs under. */
    public CompletableFuture<Boolean> releaseNow(Lease lease) {
        return retry.repeat(() -> store.release(lease), settings.claimPatience());
    }

    /**
     * Ends an attempt that had no effect of its own. If a step was finished before, by this attempt or an earlier one,
     * the key is left to lapse instead: released, it would forget the step, and the next attempt would run it again.
     */
    public CompletionStage<Boolean> notExecuted(RunningAttempt attempt) {
        return attempt.hasSteps() ? leaveToLapse(attempt) : release(attempt);
    }

    /** Without its heartbeat the lease lapses, and whoever comes next does what the policy says. */
    CompletionStage<Boolean> leaveToLapse(RunningAttempt attempt) {
        attempt.markEnding();
        end(attempt);
        return CompletableFuture.completedStage(false);
    }

    /** Gives back the key of an attempt. Its caller waits for a while; after that it is tried in the background. */
    CompletionStage<Boolean> release(RunningAttempt attempt) {
        attempt.markEnding();
        return withinPatience(
                retry.repeat(() -> store.release(attempt.lease()), settings.settleGiveUp())
                        .handle((released, failure) -> {
                            end(attempt);
                            events.tell(
                                    failure == null
                                            ? new SemelEvent.Released(attempt.subject())
                                            : settleFailed(attempt, failure));
                            return failure == null && released;
                        }),
                false);
    }

    SemelEvent.OfKey settleFailed(RunningAttempt attempt, Throwable failure) {
        return new SemelEvent.SettleFailed(attempt.subject(), Failures.unwrap(failure));
    }

    /** The same work, but whoever waits for it is answered with {@code otherwise} when patience ends. */
    <R> CompletionStage<R> withinPatience(CompletableFuture<R> work, R otherwise) {
        return work.copy()
                .completeOnTimeout(otherwise, settings.settlePatience().toMillis(), TimeUnit.MILLISECONDS);
    }

    public CompletableFuture<Boolean> abandon(Lease lease) {
        return retry.repeat(() -> store.abandon(lease), settings.settlePatience());
    }

    public CompletableFuture<Boolean> settle(Lease lease, Outcome outcome, Retention retention, Duration patience) {
        return retry.repeat(() -> store.settle(lease, outcome, retention), patience)
                .exceptionallyCompose(failure -> Failures.unwrap(failure) instanceof PayloadTooLargeException
                        ? retry.repeat(() -> store.settle(lease, outcome.withoutPayload(), retention), patience)
                        : CompletableFuture.failedStage(failure));
    }

    /** Whether a claim may take over a lapsed lease; what it then does is for the recovery to say. */
    static boolean takesOver(Policy policy) {
        return policy.recovery() != Recovery.HOLD;
    }
}
