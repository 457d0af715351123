package dev.semel.engine;

import dev.semel.OperationFailedException;
import dev.semel.Outcome;
import dev.semel.observe.SemelEvent;
import dev.semel.observe.SemelListener;
import dev.semel.observe.Tracing;
import dev.semel.policy.Reconciler;
import dev.semel.retry.Deadlines;
import dev.semel.retry.StoreCircuit;
import dev.semel.retry.StoreRetry;
import dev.semel.spi.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The objects that all calls share. */
public final class Engine {

    /** The outcome of a key whose owner died, if its policy is to fail it. */
    public static final Outcome DIED = new OperationFailedException(
                    "dev.semel.AttemptDied",
                    "the attempt that owned this key died; whether it had an effect is not known")
            .toOutcome();

    final EngineSettings settings;
    final Events events;
    final Deadlines deadlines = new Deadlines();
    final StoreRetry retry;
    final StoreCalls store;
    final Attempts attempts;
    final Reconciliation reconciliation;
    final OrphanedClaims orphanedClaims;
    final Executor executor;
    final Tracing tracing;
    final byte @Nullable [] fingerprintKey;

    /** The calls that have not ended. */
    final Set<Flow<?>> calls = ConcurrentHashMap.newKeySet();

    public Engine(
            KeyStore store,
            EngineSettings settings,
            List<SemelListener> listeners,
            Tracing tracing,
            ScheduledExecutorService timer,
            Executor executor,
            Map<String, Reconciler> reconcilers,
            byte @Nullable [] fingerprintKey) {
        this.settings = settings;
        this.events = new Events(listeners);
        this.tracing = tracing;
        this.executor = executor;
        this.fingerprintKey = fingerprintKey;
        StoreCircuit circuit = new StoreCircuit(store, timer, settings.claimPatience(), this::tell);
        this.retry = new StoreRetry(timer, deadlines, circuit, settings.storeTimeout());
        this.store = new StoreCalls(store, settings, retry, circuit);
        this.reconciliation = new Reconciliation(this, reconcilers);
        this.orphanedClaims = new OrphanedClaims(this);
        this.attempts = new Attempts(this);
    }

    public StoreCalls store() {
        return store;
    }

    public Attempts attempts() {
        return attempts;
    }

    public Reconciliation reconciliation() {
        return reconciliation;
    }

    public EngineSettings settings() {
        return settings;
    }

    public void tell(SemelEvent event) {
        events.tell(event);
    }

    /** Limits the wait for an answer that has no other limit. */
    public <R> CompletionStage<R> answer(String whose, Supplier<CompletionStage<R>> question) {
        return deadlines.within(settings.answerPatience(), whose, question);
    }
}
