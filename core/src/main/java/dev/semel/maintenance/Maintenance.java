package dev.semel.maintenance;

import dev.semel.engine.Engine;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.Policy;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Purging;
import dev.semel.util.Durations;
import dev.semel.util.Failures;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The periodic work of the engine: it resolves keys whose owner died, and purges expired ones. */
public final class Maintenance {

    private static final int PURGE_BATCH = 1_000;
    private static final int MAX_PURGES = 1_000;

    private final Engine engine;
    private final @Nullable LapsedKeyResolver resolver;
    private final @Nullable Purging purging;

    /** The last purge, which in a large table may take longer than a round waits; another would only stand in its line. */
    private volatile CompletableFuture<?> purged = CompletableFuture.completedFuture(null);

    public Maintenance(Engine engine, Map<String, Policy> policies) {
        this.engine = engine;
        Inspecting inspecting = engine.store().inspecting();
        this.resolver = inspecting == null ? null : new LapsedKeyResolver(engine, inspecting, policies);
        this.purging =
                KeyStore.capability(engine.store().keyStore(), Purging.class).orElse(null);
    }

    /** Rounds follow each other with the interval in between, spread so that nodes do not act in step. */
    public void start(ScheduledExecutorService timer, Duration interval) {
        long millis = interval.toMillis();
        long delay = ThreadLocalRandom.current().nextLong(millis / 2 + 1, millis + millis / 2 + 1);
        try {
            timer.schedule(
                    () -> round().whenComplete((done, failure) -> start(timer, interval)),
                    delay,
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // The engine is closed: this was the last round.
            return;
        }
    }

    /** One round; it never fails, since one part that fails must not keep the others from being done. */
    public CompletionStage<Void> round() {
        CompletionStage<Void> done = CompletableFuture.completedStage(null);
        if (resolver != null) {
            done = done.thenCompose(before -> noting(engine, "resolve lapsed keys", resolver::resolveLapsed))
                    .thenCompose(before -> noting(engine, "resolve unknown keys", resolver::resolveUnknown));
        }
        if (purging != null) {
            done = done.thenCompose(before -> noting(engine, "purge", () -> purge(purging, MAX_PURGES)));
        }
        return done;
    }

    /** Runs one part of the maintenance. If it fails, an event says so, and the next part still runs. */
    static CompletionStage<Void> noting(Engine engine, String task, Supplier<CompletionStage<Void>> work) {
        return Failures.inStage(work).exceptionally(failure -> {
            engine.tell(new SemelEvent.MaintenanceFailed(task, Failures.unwrap(failure)));
            return null;
        });
    }

    private CompletionStage<Void> purge(Purging purging, int left) {
        if (!purged.isDone()) {
            return CompletableFuture.completedStage(null);
        }
        long startedAt = System.nanoTime();
        return engine.answer("the store", () -> begin(purging)).thenCompose(gone -> {
            if (gone.removed() > 0) {
                engine.tell(new SemelEvent.Purged(gone.removed(), Durations.since(startedAt)));
            }
            return gone.more() && left > 0 ? purge(purging, left - 1) : CompletableFuture.completedStage(null);
        });
    }

    private CompletionStage<Purging.Purged> begin(Purging purging) {
        CompletableFuture<Purging.Purged> begun = purging.purge(PURGE_BATCH).toCompletableFuture();
        purged = begun;
        return begun;
    }
}
