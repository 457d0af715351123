package dev.semel.jdbc.innodb;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransaction;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.TransactionContract;
import dev.semel.testservers.TestMySql;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(value = "dev.semel.testservers.TestMySql#isAvailable", disabledReason = TestMySql.MISSING)
class MySqlTransactionContractTest extends TransactionContract<Connection> {

    private static HikariDataSource pool;

    @BeforeAll
    static void connect() {
        pool = TestMySql.newDatabase(16);
        JdbcKeyStore.builder(pool).createIfMissing().build().close();
    }

    @AfterAll
    static void disconnect() {
        pool.close();
    }

    @Override
    protected KeyStore openStore() {
        return JdbcKeyStore.builder(pool).build();
    }

    @Override
    protected void clear() {
        TestPostgres.execute(pool, "DELETE FROM semel_key");
    }

    @Override
    protected Transaction<Connection> begin() {
        return JdbcTransaction.begin(pool);
    }
}
