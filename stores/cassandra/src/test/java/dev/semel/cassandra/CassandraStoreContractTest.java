package dev.semel.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import dev.semel.spi.KeyStore;
import dev.semel.spi.life.SharedClock;
import dev.semel.testkit.SettableClock;
import dev.semel.testkit.StoreContract;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class CassandraStoreContractTest extends StoreContract {

    private static final Duration SKEW = Duration.ofSeconds(2);
    private static final String KEYSPACE = "contract";

    private static CqlSession session;

    private final SettableClock clock = SettableClock.at(Instant.parse("2001-02-03T04:05:06Z"));

    @BeforeAll
    static void connect() {
        session = TestCassandra.session(KEYSPACE);
    }

    @AfterAll
    static void close() {
        if (session != null) {
            session.close();
        }
    }

    @Override
    protected KeyStore openStore() {
        return CassandraKeyStore.builder(session)
                .keyspace(KEYSPACE)
                .clock(new SharedClock("Cassandra", clock, SKEW))
                .build();
    }

    @Override
    protected void clear() {
        // A TRUNCATE takes half a second.
        String delete = "DELETE FROM " + KEYSPACE + ".keys WHERE digest = ? IF EXISTS";
        session.execute("SELECT digest FROM " + KEYSPACE + ".keys").all().stream()
                .map(row -> session.executeAsync(delete, row.getUuid("digest")).toCompletableFuture())
                .toList()
                .forEach(CompletableFuture::join);
    }

    /** What runs out is over only when it is over by the skew as well. */
    @Override
    protected void advance(Duration duration) {
        clock.advance(duration.plus(SKEW));
    }
}
