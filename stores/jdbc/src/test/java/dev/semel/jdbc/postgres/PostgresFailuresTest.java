package dev.semel.jdbc.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.TransactionRunner;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.failures.EngineFailureContract;
import dev.semel.testservers.TestPostgres;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresFailuresTest extends EngineFailureContract {

    private HikariDataSource pool;
    private TestDatabase database;
    private JdbcKeyStore store;

    @BeforeAll
    void connect() {
        String name = TestPostgres.newDatabase();
        try (HikariDataSource admin = TestPostgres.pool(name, 1)) {
            TestDatabase.prepare(admin, name, Duration.ZERO);
        }
        pool = TestPostgres.pool(name, 16);
        database = TestDatabase.connect(pool);
        store = database.openStore();
    }

    @AfterAll
    void disconnect() {
        store.close();
        database.close();
    }

    @Override
    protected KeyStore store() {
        return store;
    }

    @Override
    protected void advance(Duration duration) {
        database.advance(duration);
    }

    @Override
    protected TransactionRunner<?> transactions() {
        return JdbcTransactions.of(pool);
    }
}
