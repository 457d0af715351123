package dev.semel.jdbc.innodb;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransaction;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.TransactionContract;
import dev.semel.testservers.TestMariaDb;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** With snapshots that other transactions' commits break, as is the default from version 11.6 on. */
class MariaDbSnapshotTransactionContractTest extends TransactionContract<Connection> {

    private static HikariDataSource pool;

    @BeforeAll
    static void connect() {
        pool = TestMariaDb.newDatabase(16, "?sessionVariables=innodb_snapshot_isolation=ON");
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
