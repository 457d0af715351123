package dev.semel;

import dev.semel.engine.CallRunner;
import dev.semel.engine.Engine;
import dev.semel.engine.EngineSettings;
import dev.semel.engine.PolicyRegistry;
import dev.semel.maintenance.Maintenance;
import dev.semel.observe.Activity;
import dev.semel.observe.SemelListener;
import dev.semel.observe.StoreHealth;
import dev.semel.observe.Tracing;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Reconciler;
import dev.semel.policy.Recovery;
import dev.semel.policy.TransactionalPolicy;
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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The engine: runs operations under keys, so that each happens once, however often it is requested.
 *
 * <p>One engine serves a whole process. It does not close the store it was given.
 */
public final class Semel implements AutoCloseable {

    private final Engine engine;
    private final CallRunner runner;
    private final ScheduledExecutorService timer;
    private final ScheduledExecutorService heartbeat;
    private final Maintenance maintenance;
    private final PolicyRegistry policies = new PolicyRegistry();

    private Semel(Builder builder) {
        EngineSettings settings = builder.settings();
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
        builder.policies.forEach(policies::register);
        this.maintenance = new Maintenance(engine, policies.policies());
        engine.attempts().keeper().start(heartbeat);
        if (!settings.maintenanceInterval().isZero()) {
            maintenance.start(timer, settings.maintenanceInterval());
        }
    }

    public static Builder builder(KeyStore store) {
        return new Builder(store);
    }

    /**
     * Binds an operation with effects outside the store's database to its policy and codec. Do it once, when the
     * application starts: from then on, maintenance resolves its lapsed keys.
     *
     * @throws IllegalArgumentException if another policy with the same name, or a same former name, treats keys
     *     differently
     * @throws IllegalStateException if its recovery is {@link Recovery#RECONCILE} and it has no reconciler
     */
    public <T> ExternalOperation<T> operation(ExternalPolicy policy, OutcomeCodec<T> codec) {
        register(policy);
        return new ExternalOperation<>(runner, policy, codec);
    }

    /** Binds an operation that makes its outcome itself, like {@link #operation(ExternalPolicy, OutcomeCodec)}. */
    public ExternalOperation<Outcome> operation(ExternalPolicy policy) {
        return operation(policy, OutcomeCodec.identity());
    }

    /**
     * Binds an operation that runs in a transaction of the store's database, like
     * {@link #operation(ExternalPolicy, OutcomeCodec)}.
     *
     * @throws IllegalStateException also if the store cannot join a transaction
     */
    public <C, T> TransactionalOperation<C, T> operation(
            TransactionalPolicy policy, OutcomeCodec<T> codec, TransactionRunner<C> transactions) {
        TransactionJoining<C> joining = joining(policy);
        register(policy);
        @SuppressWarnings("unchecked")
        TransactionJoining.Shared<C> shared = (TransactionJoining.Shared<C>)
                KeyStore.capability(engine.store().keyStore(), TransactionJoining.Shared.class)
                        .orElse(null);
        return new TransactionalOperation<>(runner, policy, codec, joining, shared, transactions);
    }

    /** Binds an operation that makes its outcome itself and runs in a transaction of the store's database. */
    public <C> TransactionalOperation<C, Outcome> operation(
            TransactionalPolicy policy, TransactionRunner<C> transactions) {
        return operation(policy, OutcomeCodec.identity(), transactions);
    }

    private void register(Policy policy) {
        if (policy.recovery() == Recovery.RECONCILE) {
            engine.reconciliation().require(policy.operation());
        }
        policies.register(policy);
    }

    @SuppressWarnings("unchecked")
    private <C> TransactionJoining<C> joining(Policy policy) {
        return (TransactionJoining<C>) KeyStore.capability(engine.store().keyStore(), TransactionJoining.class)
                .orElseThrow(
                        () -> new IllegalStateException("operation " + Text.quote(policy.operation()) + " has mode "
                                + policy.mode() + ", but the store "
                                + engine.store().keyStore().getClass().getName()
                                + " cannot join a transaction; use an external policy or a store that can"));
    }

    /**
     * The store's record of a key; empty if there is none.
     *
     * @throws IllegalStateException if the store does not implement {@link Inspecting}
     */
    public CompletionStage<Optional<KeyRecord>> find(Key key) {
        return find(key.digest());
    }

    /** Like {@link #find(Key)}, by the key's digest. */
    public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        Inspecting inspecting = engine.store().inspecting();
        if (inspecting == null) {
            throw new IllegalStateException(
                    "the store " + engine.store().keyStore().getClass().getName()
                            + " does not implement Inspecting; use a store that does");
        }
        return inspecting.find(digest);
    }

    /** The current activity of this engine. */
    public Activity activity() {
        return engine.attempts().activity();
    }

    /**
     * Whether the store answers. This never waits: if the last check is more than a second old, the store is checked
     * in the background, and the next call returns the result.
     */
    public StoreHealth storeHealth() {
        return engine.store().health();
    }

    /** Runs the maintenance now: resolves lapsed keys and purges expired ones. */
    public CompletionStage<Void> maintain() {
        return maintenance.round();
    }

    /**
     * Accepts no new calls, waits up to the grace period for running operations and outcomes that are being stored,
     * then stops the heartbeat and maintenance.
     */
    @Override
    public void close() {
        runner.close();
        timer.shutdownNow();
        heartbeat.shutdownNow();
        runner.giveUp();
    }

    /** Builds a {@link Semel}. */
    public static final class Builder {

        private static final int MIN_FINGERPRINT_KEY = 32;
        private static final Duration SETTLE_GIVE_UP = Duration.ofMinutes(10);
        private static final Duration ANSWER_PATIENCE = Duration.ofMinutes(5);

        private final KeyStore store;
        private final List<SemelListener> listeners = new ArrayList<>();
        private final List<Policy> policies = new ArrayList<>();
        private final Map<String, Reconciler> reconcilers = new HashMap<>();
        private Executor executor = ForkJoinPool.commonPool();
        private Tracing tracing = Tracing.NONE;
        private Duration storeTimeout = Duration.ofSeconds(10);
        private Duration claimPatience = Duration.ofSeconds(2);
        private Duration settlePatience = Duration.ofSeconds(5);
        private int maxWaiting = 10_000;
        private Duration shutdownGrace = Duration.ofSeconds(30);
        private Duration maintenanceInterval = Duration.ofSeconds(30);
        private byte @Nullable [] fingerprintKey;

        private Builder(KeyStore store) {
            this.store = store;
        }

        public Builder listener(SemelListener listener) {
            listeners.add(listener);
            return this;
        }

        /** Follows each call through the engine; none by default. */
        public Builder tracing(Tracing tracing) {
            this.tracing = tracing;
            return this;
        }

        /** The executor that starts asynchronous operations and reconcilers; the common pool by default. */
        public Builder executor(Executor executor) {
            this.executor = executor;
            return this;
        }

        /**
         * Registers the policy of an operation that other engines run, so that this engine's maintenance resolves its
         * lapsed keys.
         */
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
            maintenanceInterval = Durations.requireNotNegative("maintenance interval", interval);
            return this;
        }

        /** How long one store call may take before it is sent again. */
        public Builder storeTimeout(Duration timeout) {
            storeTimeout = Durations.requirePositive("store timeout", timeout);
            return this;
        }

        /**
         * How long a caller waits for its claim while the store is down, and how long it waits for its outcome to be
         * stored.
         */
        public Builder patience(Duration claim, Duration settle) {
            claimPatience = Durations.requireNotNegative("claim patience", claim);
            settlePatience = Durations.requirePositive("settle patience", settle);
            return this;
        }

        /** How many duplicates may wait at the same time; the next one gets <em>in flight</em>. */
        public Builder maxWaiting(int duplicates) {
            if (duplicates < 0) {
                throw new IllegalArgumentException("most waiting duplicates must not be negative, got " + duplicates);
            }
            maxWaiting = duplicates;
            return this;
        }

        /** How long closing the engine waits for operations that are running. */
        public Builder shutdownGrace(Duration grace) {
            shutdownGrace = Durations.requireNotNegative("shutdown grace", grace);
            return this;
        }

        /**
         * A secret of at least 32 bytes under which fingerprints are stored, so that someone who reads the store cannot find out
         * by guessing what was asked for. After you change it, a key that comes again with another request counts as a
         * retry while the old key is kept ({@link Fingerprint#withKey}).
         */
        public Builder fingerprintKey(byte[] secret) {
            if (secret.length < MIN_FINGERPRINT_KEY) {
                throw new IllegalArgumentException("a key for fingerprints must have at least " + MIN_FINGERPRINT_KEY
                        + " bytes, got " + secret.length);
            }
            this.fingerprintKey = secret.clone();
            return this;
        }

        private EngineSettings settings() {
            return new EngineSettings(
                    storeTimeout,
                    claimPatience,
                    settlePatience,
                    SETTLE_GIVE_UP,
                    maxWaiting,
                    shutdownGrace,
                    ANSWER_PATIENCE,
                    maintenanceInterval);
        }

        public Semel build() {
            return new Semel(this);
        }
    }
}
