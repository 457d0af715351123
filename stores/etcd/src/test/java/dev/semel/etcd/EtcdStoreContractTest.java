package dev.semel.etcd;

import dev.semel.spi.KeyStore;
import dev.semel.spi.life.SharedClock;
import dev.semel.testkit.SettableClock;
import dev.semel.testkit.StoreContract;
import io.etcd.jetcd.Client;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class EtcdStoreContractTest extends StoreContract {

    private static final Duration SKEW = Duration.ofSeconds(2);

    private static Client client;

    private final String prefix = "test-" + UUID.randomUUID();
    private final SettableClock clock = SettableClock.at(Instant.parse("2001-02-03T04:05:06Z"));

    @BeforeAll
    static void connect() {
        client = Client.builder().endpoints(EtcdCluster.shared().endpoints()).build();
    }

    @AfterAll
    static void close() {
        if (client != null) {
            client.close();
        }
    }

    @Override
    protected KeyStore openStore() {
        return EtcdKeyStore.using(client, prefix, new SharedClock("etcd", clock, SKEW));
    }

    @Override
    protected void clear() {
        // Each test has a prefix of its own.
    }

    /** What runs out is over only when it is over by the skew as well. */
    @Override
    protected void advance(Duration duration) {
        clock.advance(duration.plus(SKEW));
    }
}
