package dev.semel.etcd;

import dev.semel.spi.KeyStore;
import dev.semel.spi.life.SharedClock;
import dev.semel.testkit.SettableClock;
import dev.semel.testkit.StoreContract;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class EtcdStoreContractTest extends StoreContract {

    private static final Duration SKEW = Duration.ofSeconds(2);

    private final String prefix = "test-" + UUID.randomUUID();
    private final SettableClock clock = SettableClock.at(Instant.parse("2001-02-03T04:05:06Z"));

    @Override
    protected KeyStore openStore() {
        return EtcdKeyStore.builder(TestEtcd.client())
                .prefix(prefix)
                .clock(new SharedClock("etcd", clock, SKEW))
                .build();
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
