package dev.semel.jdbc.postgres.generations;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransaction;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.TransactionContract;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a table that keeps its keys in generations. */
class GenerationsTransactionContractTest extends TransactionContract<Connection> {

    private static HikariDataSource pool;

    @BeforeAll
    static void connect() {
        pool = TestPostgres.pool(TestPostgres.newDatabase(), 16);
        builder().createIfMissing().build().close();
    }

    @AfterAll
    static void disconnect() {
        pool.close();
    }

    private static JdbcKeyStore.Builder builder() {
        return JdbcKeyStore.builder(pool).generations(Duration.ofHours(12));
    }

    @Override
    protected KeyStore openStore() {
        return builder().build();
    }

    @Override
    protected void clear() {
        TestPostgres.execute(pool, "TRUNCATE semel_key");
    }

    @Override
    protected Transaction<Connection> begin() {
        return JdbcTransaction.begin(pool);
    }
}
