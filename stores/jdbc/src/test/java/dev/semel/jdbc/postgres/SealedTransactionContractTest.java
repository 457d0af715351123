package dev.semel.jdbc.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransaction;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.SealedForTests;
import dev.semel.testkit.TransactionContract;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class SealedTransactionContractTest extends TransactionContract<Connection> {

    private static HikariDataSource pool;

    @BeforeAll
    static void connect() {
        pool = TestPostgres.pool(TestPostgres.newDatabase(), 16);
        JdbcKeyStore.builder(pool).createIfMissing().build().close();
    }

    @AfterAll
    static void disconnect() {
        pool.close();
    }

    @Override
    protected KeyStore openStore() {
        return SealedForTests.around(JdbcKeyStore.builder(pool).build());
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
