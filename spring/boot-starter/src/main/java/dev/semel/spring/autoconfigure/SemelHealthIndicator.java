package dev.semel.spring.autoconfigure;

import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spi.StoreStatistics;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Reports whether the store answers, and how many keys need a decision. */
final class SemelHealthIndicator extends AbstractHealthIndicator {

    private static final int PATIENCE_SECONDS = 5;

    private final KeyStore store;

    SemelHealthIndicator(KeyStore store) {
        super("Semel's store does not answer");
        this.store = store;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) throws Exception {
        builder.withDetail("store", store.getClass().getSimpleName());
        Inspecting inspecting = KeyStore.capability(store, Inspecting.class).orElse(null);
        if (inspecting != null) {
            StoreStatistics statistics =
                    inspecting.statistics().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            builder.withDetail("pending", statistics.keys().getOrDefault(KeyState.PENDING, 0L));
            builder.withDetail("unknown", statistics.keys().getOrDefault(KeyState.UNKNOWN, 0L));
        }
        builder.up();
    }
}
