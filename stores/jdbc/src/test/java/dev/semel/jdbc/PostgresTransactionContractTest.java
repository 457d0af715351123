package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.TransactionContract;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresTransactionContractTest extends TransactionContract<Connection> {

    private static HikariDataSource pool;

    @BeforeAll
    static void connect() {
        pool = TestPostgres.pool(TestPostgres.newDatabase(), 16);
        JdbcKeyStore.builder(pool).createSchema().build().close();
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
        TestPostgres.execute(pool, "TRUNCATE semel_key");
    }

    @Override
    protected Transaction<Connection> begin() {
        try {
            Connection connection = pool.getConnection();
            connection.setAutoCommit(false);
            return new JdbcTransaction(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private record JdbcTransaction(Connection handle) implements Transaction<Connection> {

        @Override
        public void commit() {
            try {
                handle.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            try {
                handle.rollback();
                handle.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
