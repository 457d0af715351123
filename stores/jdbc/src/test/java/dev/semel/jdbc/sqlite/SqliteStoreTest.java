package dev.semel.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Outcome;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.NumberedClaims;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest {

    private final AtomicInteger refusals = new AtomicInteger();

    @Test
    void aSettleIsSentAgainWhenThePoolHadNoConnection(@TempDir Path directory) {
        try (HikariDataSource pool = TestSqlite.pool(directory.resolve("keys.db"));
                JdbcKeyStore store = JdbcKeyStore.builder(sometimesExhausted(pool))
                        .createIfMissing()
                        .build()) {
            Claim claim =
                    store.claim(NumberedClaims.claim(1)).toCompletableFuture().join();
            refusals.set(2);

            assertThat(store.settle(
                                    ((Claim.Acquired) claim).lease(),
                                    Outcome.succeeded().build(),
                                    Retention.of(Duration.ofHours(1)))
                            .toCompletableFuture()
                            .join())
                    .isTrue();
        }
    }

    /** What a pool throws has no code of SQLite. */
    private DataSource sometimesExhausted(DataSource pool) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection")
                            && refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                        throw new SQLTransientConnectionException("no connection is available");
                    }
                    try {
                        return method.invoke(pool, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
