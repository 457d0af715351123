package dev.semel;

import dev.semel.engine.CallRunner;
import dev.semel.engine.Engine;
import dev.semel.engine.Settings;
import dev.semel.maintenance.Maintenance;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.TransactionJoining;
import dev.semel.util.Durations;
import dev.semel.util.Text;
import dev.semel.util.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The engine: runs operations under keys, so that each happens once however often it is asked for.
 *
 * <p>One engine serves a whole process. It does not close the store it was given.
 */
public final class Semel implements AutoCloseable {

    private final Engine engine;
    private final CallRunner runner;
    private final ScheduledExecutorService timer;
    private final ScheduledExecutorService heartbeat;
    private final Maintenance maintenance;
    private final Map<String, Policy> policies = new ConcurrentHashMap<>();

    private Semel(Builder builder) {
        Settings settings = builder.settings;
        this.timer = Executors.newSingleThreadScheduledExecutor(Threads.daemons("semel-timer"));
        this.heartbeat = Executors.newSingleThreadScheduledExecutor(Threads.daemons("semel-heartbeat"));
        this.engine = new Engine(
                builder.store,
                settings,
                builder.listeners,
                builder.tracing,
                timer,
                builder.executor,
                builder.reconcilers,
                builder.fingerprintKey);
        this.runner = new CallRunner(engine);
        builder.policies.forEach(this::register);
        this.maintenance = new Maintenance(engine, policies);
        engine.keeper().start(heartbeat);
        if (!settings.maintenanceInterval().isZero()) {
            maintenance.start(timer, settings.maintenanceInterval());
        }
    }

    public static Builder builder(KeyStore store) {
        return new Builder(store);
    }

    /** Runs the operation under the call's key, or says why not. The operation runs on the engine's executor. */
    public <T> CompletionStage<Execution<T>> executeAsync(Call<T> call, AsyncOperation<T> operation) {
        prepare(call.policy(), "executeAsync", Mode.EXTERNAL);
        return runner.runAsync(call, operation);
    }

    /** Runs the operation, started on the given executor, under the call's key, or says why not. */
    public <T> CompletionStage<Execution<T>> executeAsync(
            Call<T> call, Executor executor, AsyncOperation<T> operation) {
        prepare(call.policy(), "executeAsync", Mode.EXTERNAL);
        return runner.runAsync(call, executor, operation);
    }

    /** Runs the operation on the calling thread under the call's key, or says why not. */
    public <T, E extends Exception> Execution<T> execute(Call<T> call, Operation<T, E> operation) throws E {
        prepare(call.policy(), "execute", Mode.EXTERNAL);
        return runner.run(call, attempt -> {
            try {
                return CompletableFuture.completedStage(operation.run(attempt));
            } catch (Exception e) {
                return CompletableFuture.failedStage(e);
            }
        });
    }

    /**
     * Runs the operation on the calling thread in a transaction that carries the settle, and in the mode
     * {@link Mode#SINGLE_TRANSACTION} also the claim.
     */
    public <C, T, E extends Exception> Execution<T> executeIn(
            TransactionRunner<C> transactions, Call<T> call, TransactionalOperation<C, T, E> operation) throws E {
        prepare(call.policy(), "executeIn", Mode.TRANSACTIONAL, Mode.SINGLE_TRANSACTION);
        return runner.runInTransaction(this.<C>joining(), transactions, call, operation);
    }

    /**
     * Makes a policy known before its first call, like {@link Builder#policy}.
     *
     * @throws IllegalArgumentException if another policy is known under its name, or under one of its former names, that
     *     treats keys differently
     */
    public void register(Policy policy) {
        if (policy.equals(policies.get(policy.operation()))) {
            return;
        }
        for (String name : policy.names()) {
            requireSame(name, policies.get(name), policy);
        }
        for (String name : policy.names()) {
            requireSame(name, policies.putIfAbsent(name, policy), policy);
        }
    }

    private static void requireSame(String name, @Nullable Policy known, Policy policy) {
        String difference = known == null ? "" : known.differenceFrom(policy);
        if (!difference.isEmpty()) {
            throw new IllegalArgumentException("two policies that differ share the name " + Text.quote(name) + ": "
                    + difference + "; give the operations different names, or one policy");
        }
    }

    /**
     * What the store knows of a key; empty if it knows nothing.
     *
     * @throws IllegalStateException if the store cannot be looked into
     */
    public CompletionStage<Optional<KeyRecord>> find(Key key) {
        return find(key.digest());
    }

    /** Like {@link #find(Key)}, by the key's name in the store. */
    public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        Inspecting inspecting = engine.inspecting();
        if (inspecting == null) {
            throw new IllegalStateException(
                    "the store " + engine.store().getClass().getName() + " cannot be looked into; use one that can");
        }
        return inspecting.find(digest);
    }

    /** What this engine is doing at this moment. */
    public Activity activity() {
        return engine.activity();
    }

    /** Does now what is otherwise done from time to time: resolves lapsed keys and purges expired ones. */
    public CompletionStage<Void> maintain() {
        return maintenance.round();
    }

    private void prepare(Policy policy, String method, Mode... allowed) {
        if (!Set.of(allowed).contains(policy.mode())) {
            throw new IllegalArgumentException("operation " + Text.quote(policy.operation()) + " has mode "
                    + policy.mode() + ", which " + method + " cannot run");
        }
        runner.requireOpen();
        if (policy.recovery() == Recovery.RECONCILE && !engine.canReconcile(policy.operation())) {
            throw new IllegalStateException("operation " + Text.quote(policy.operation())
                    + " has recovery RECONCILE but no reconciler; register one when building the engine");
        }
        register(policy);
    }

    @SuppressWarnings("unchecked")
    private <C> TransactionJoining<C> joining() {
        return (TransactionJoining<C>) KeyStore.capability(engine.store(), TransactionJoining.class)
                .orElseThrow(() -> new IllegalStateException(
                        "the store " + engine.store().getClass().getName()
                                + " cannot join a transaction; use mode EXTERNAL or a store that can"));
    }

    /**
     * Takes no new calls, waits up to the grace for operations that run and outcomes that are being stored, then stops
     * the heartbeat and maintenance.
     */
    @Override
    public void close() {
        runner.close();
        timer.shutdownNow();
        heartbeat.shutdownNow();
        runner.giveUp();
    }

    /** Makes a {@link Semel}. */
    public static final class Builder {

        private static final int MIN_FINGERPRINT_KEY = 32;

        private final KeyStore store;
        private final List<SemelListener> listeners = new ArrayList<>();
        private final List<Policy> policies = new ArrayList<>();
        private final Map<String, Reconciler> reconcilers = new HashMap<>();
        private Executor executor = ForkJoinPool.commonPool();
        private Tracing tracing = Tracing.NONE;
        private Settings settings = Settings.DEFAULT;
        private byte @Nullable [] fingerprintKey;

        private Builder(KeyStore store) {
            this.store = store;
        }

        public Builder listener(SemelListener listener) {
            listeners.add(listener);
            return this;
        }

        /** Who follows each call through the engine; nobody by default. */
        public Builder tracing(Tracing tracing) {
            this.tracing = tracing;
            return this;
        }

        /** Where asynchronous operations and reconcilers are started; the common pool by default. */
        public Builder executor(Executor executor) {
            this.executor = executor;
            return this;
        }

        /** Makes a policy known before its first call, so that maintenance resolves its lapsed keys. */
        public Builder policy(Policy policy) {
            policies.add(policy);
            return this;
        }

        public Builder reconciler(String operation, Reconciler reconciler) {
            reconcilers.put(operation, reconciler);
            return this;
        }

        /** How often lapsed keys are resolved and expired ones purged; zero leaves both to {@link Semel#maintain}. */
        public Builder maintenanceInterval(Duration interval) {
            settings = settings.withMaintenanceInterval(Durations.requireNotNegative("maintenance interval", interval));
            return this;
        }

        /** How long one call of the store may take before it is sent again. */
        public Builder storeTimeout(Duration timeout) {
            settings = settings.withStoreTimeout(Durations.requirePositive("store timeout", timeout));
            return this;
        }

        /** How long a caller waits for its claim while the store is down, and for its outcome to be stored. */
        public Builder patience(Duration claim, Duration settle) {
            settings = settings.withPatience(
                    Durations.requireNotNegative("claim patience", claim),
                    Durations.requirePositive("settle patience", settle));
            return this;
        }

        /** How many duplicates may wait at once; the next is told that the operation is in flight. */
        public Builder maxWaiting(int duplicates) {
            if (duplicates < 0) {
                throw new IllegalArgumentException("most waiting duplicates must not be negative, got " + duplicates);
            }
            settings = settings.withMaxWaiting(duplicates);
            return this;
        }

        /** How long closing the engine waits for operations that are running. */
        public Builder shutdownGrace(Duration grace) {
            settings = settings.withShutdownGrace(Durations.requireNotNegative("shutdown grace", grace));
            return this;
        }

        /**
         * A secret of at least 32 bytes under which fingerprints are stored, so that nobody who reads the store can find out
         * by guessing what was asked for. After a change of it, a key that comes again with another request is taken for a
         * retry as long as the key of before is kept ({@link Fingerprint#withKey}).
         */
        public Builder fingerprintKey(byte[] secret) {
            if (secret.length < MIN_FINGERPRINT_KEY) {
                throw new IllegalArgumentException("a key for fingerprints must have at least " + MIN_FINGERPRINT_KEY
                        + " bytes, got " + secret.length);
            }
            this.fingerprintKey = secret.clone();
            return this;
        }

        public Semel build() {
            return new Semel(this);
        }
    }
}
