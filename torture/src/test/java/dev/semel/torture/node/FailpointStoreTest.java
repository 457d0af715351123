package dev.semel.torture.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Retention;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.QueuedCall;
import dev.semel.torture.service.Failpoints;
import dev.semel.torture.service.LedgerClient;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FailpointStoreTest {

    private final QueuedCall<Object> queued = new QueuedCall<>();

    /** A store that has not sent its call yet. */
    private final KeyStore queueing = (KeyStore) Proxy.newProxyInstance(
            KeyStore.class.getClassLoader(),
            InMemoryKeyStore.class.getInterfaces(),
            (proxy, method, arguments) -> queued);

    @Test
    void aCallThatIsGivenUpIsWithdrawnFromTheStoreBehindIt() {
        FailpointStore store = new FailpointStore(queueing, new Failpoints(new LedgerClient(0, "node")));
        Lease lease = new Lease(Key.of("tenant", "order-1").digest(), UUID.randomUUID(), 1, 1);

        store.settle(lease, Outcome.succeeded().build(), Retention.of(Duration.ofDays(1)))
                .toCompletableFuture()
                .cancel(true);

        assertThat(queued.send()).as("the store behind it sends the call").isFalse();
    }
}
