package dev.semel.micrometer;

import dev.semel.Semel;
import dev.semel.observe.SemelEvent;
import dev.semel.observe.SemelListener;
import dev.semel.spi.Batching;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts and times what an engine does, in a registry. The tags are the operation, the store and the outcome; never a
 * key or a scope, which belong to callers and would be too many.
 *
 * <p>Pass it to the engine as a listener, and pass the engine to {@link #watch}.
 */
public final class SemelMetrics implements SemelListener {

    /** The maximum number of operations, in case an application puts values into their names. */
    private static final int MAX_OPERATIONS = 200;

    private static final String MORE = "other";

    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<String, OperationMeters> operations = new ConcurrentHashMap<>();
    private final Projection projection = new Projection();
    private final Counter purged;
    private final Counter maintenanceFailed;

    private SemelMetrics(MeterRegistry registry, String store) {
        this.registry = registry;
        this.tags = Tags.of("store", store);
        this.purged = counter("purged", "Records removed because their retention has passed");
        this.maintenanceFailed =
                counter("maintenance_failed", "Maintenance calls of the engine that the store did not answer");
    }

    private Counter counter(String name, String description) {
        return Counter.builder("idempotency." + name)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    /** Creates metrics with this name for the store, for example {@code postgresql}. */
    public static SemelMetrics in(MeterRegistry registry, String store) {
        return new SemelMetrics(registry, store);
    }

    /** The default name of a store: that of its class, without the common suffix. */
    public static String nameOf(KeyStore store) {
        return store.getClass()
                .getSimpleName()
                .replaceAll("KeyStore|Transactional|^In(?=Memory)", "")
                .toLowerCase(Locale.ROOT);
    }

    /** Registers the meters of an operation, so that they are visible before its first call. */
    public SemelMetrics operation(String name) {
        of(name);
        return this;
    }

    /** Also measures the engine and its store, whenever the registry is read; never on the request path. */
    public void watch(Semel semel, KeyStore store) {
        new EngineMeters(semel).bind(registry, tags);
        KeyStore.capability(store, Batching.class)
                .ifPresent(batching -> new BatchMeters(batching).bind(registry, tags));
        KeyStore.capability(store, Inspecting.class)
                .ifPresent(
                        inspecting -> new StoreMeters(registry, tags, new StoreReader(inspecting), projection).bind());
    }

    @Override
    public void on(SemelEvent event) {
        if (event instanceof SemelEvent.OfKey ofKey) {
            of(ofKey.operation()).on(ofKey);
            if (event instanceof SemelEvent.Settled settled) {
                projection.settled(settled.operation(), settled.retention());
            }
        } else if (event instanceof SemelEvent.Purged removed) {
            purged.increment(removed.removed());
        } else if (event instanceof SemelEvent.MaintenanceFailed) {
            maintenanceFailed.increment();
        }
    }

    OperationMeters of(String operation) {
        OperationMeters known = operations.get(operation);
        if (known != null) {
            return known;
        }
        String name = operations.size() < MAX_OPERATIONS ? operation : MORE;
        return operations.computeIfAbsent(name, key -> new OperationMeters(registry, tags.and("operation", key)));
    }
}
