package dev.semel.examples.ownstore;

import dev.semel.spi.KeyStore;
import dev.semel.spi.life.SharedClock;
import dev.semel.testkit.SettableClock;
import dev.semel.testkit.StoreContract;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;

class H2StoreContractTest extends StoreContract {

    private static final Duration SKEW = Duration.ofSeconds(2);

    private final SettableClock clock = SettableClock.at(Instant.parse("2001-02-03T04:05:06Z"));
    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");

    @Override
    protected KeyStore openStore() {
        return H2KeyStore.open(pool, new SharedClock("H2", clock, SKEW));
    }

    @Override
    protected void clear() {
        // Each test has a database of its own.
    }

    /** What runs out is over only when it is over by the skew as well. */
    @Override
    protected void advance(Duration duration) {
        clock.advance(duration.plus(SKEW));
    }

    @AfterEach
    void dispose() {
        pool.dispose();
    }
}
