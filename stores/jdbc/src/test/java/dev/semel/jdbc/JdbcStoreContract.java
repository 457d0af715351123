package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.StoreContract;
import dev.semel.testservers.TestPostgres;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract on a database whose clock no test can set. Its tests wait for leases to lapse, and do so side by side,
 * each in a database of its own.
 */
@Execution(ExecutionMode.CONCURRENT)
public abstract class JdbcStoreContract extends StoreContract {

    private static final Map<Class<?>, Queue<HikariDataSource>> UNUSED = new ConcurrentHashMap<>();

    /** After the handles of the test are closed: what they still write must not reach the next one. */
    @RegisterExtension
    final AfterEachCallback giveBack = test -> unused().add(database());

    private HikariDataSource database;

    /** An empty database. */
    protected abstract HikariDataSource newDatabase();

    @Override
    protected KeyStore openStore() {
        return JdbcKeyStore.builder(database()).build();
    }

    @Override
    protected void clear() {
        HikariDataSource used = unused().poll();
        if (used == null) {
            database = newDatabase();
            JdbcKeyStore.builder(database).createIfMissing().build().close();
        } else {
            database = used;
            TestPostgres.execute(used, "DELETE FROM semel_key");
        }
    }

    private HikariDataSource database() {
        return Objects.requireNonNull(database, "no test has begun");
    }

    private Queue<HikariDataSource> unused() {
        return UNUSED.computeIfAbsent(getClass(), first -> new ConcurrentLinkedQueue<>());
    }

    @AfterAll
    static void disconnect(TestInfo test) {
        Queue<HikariDataSource> databases = UNUSED.remove(test.getTestClass().orElseThrow());
        if (databases != null) {
            databases.forEach(HikariDataSource::close);
        }
    }
}
