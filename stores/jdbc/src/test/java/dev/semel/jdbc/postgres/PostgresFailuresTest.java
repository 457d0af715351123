package dev.semel.jdbc.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.TransactionRunner;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.failures.EngineFailureContract;
import dev.semel.testservers.TestPostgres;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresFailuresTest extends EngineFailureContract {

    private HikariDataSource pool;
    private JdbcKeyStore store;

    @BeforeAll
    void connect() {
        pool = TestPostgres.pool(TestPostgres.newDatabase(), 16);
        store = JdbcKeyStore.builder(pool).createIfMissing().build();
    }

    @AfterAll
    void disconnect() {
        store.close();
        pool.close();
    }

    @Override
    protected KeyStore store() {
        return store;
    }

    @Override
    protected void advance(Duration duration) {
        Awaitility.await().pollDelay(duration).until(() -> true);
    }

    @Override
    protected TransactionRunner<?> transactions() {
        return JdbcTransactions.of(pool);
    }
}
