package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.dialect.JoinableKeyTable;
import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.dialect.Upkeep;
import dev.semel.jdbc.lane.LaneLimits;
import dev.semel.jdbc.postgres.PostgresDialect;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.life.SameLife;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import net.jqwik.api.lifecycle.AfterContainer;

/** What PostgreSQL decides in SQL is what the state machine in Java decides, whichever path a call takes. */
class PostgresSameLifeTest extends SameLife {

    private static final TableName TABLE = new TableName("public", "semel_key");

    private static final String AGE = """
            UPDATE semel_key
            SET claimed_at = claimed_at - by, lease_until = lease_until - by, settled_at = settled_at - by,
                expires_at = expires_at - by, free_at = free_at - by, purge_at = purge_at - by
            FROM (SELECT make_interval(secs => ?) AS by) AS step
            WHERE scope = ?""";

    private static HikariDataSource pool;
    private static KeyStore store;

    @AfterContainer
    static void disconnect() {
        store.close();
        pool.close();
        store = null;
    }

    @Override
    protected KeyStore store() {
        if (store == null) {
            pool = TestPostgres.pool(TestPostgres.newDatabase(), 4);
            SqlDialect dialect = new PostgresDialect();
            boolean generations = rotateEvery() != null;
            JdbcSchema schema = new JdbcSchema(dialect, TABLE);
            (generations ? schema.withGenerations() : schema).createOrUpgrade(pool);
            store = new TransactionalJdbcKeyStore(
                    pool,
                    dialect,
                    new AlternatingPaths((JoinableKeyTable) dialect.keyTable(TABLE, generations)),
                    dialect.inspection(TABLE, new Upkeep(generations, rotateEvery(), null)),
                    TABLE,
                    LaneLimits.DEFAULT);
        }
        return store;
    }

    Duration rotateEvery() {
        return null;
    }

    @Override
    protected final void age(String scope, Duration duration) {
        try (Connection connection = pool.getConnection()) {
            age(connection, scope, duration);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void age(Connection connection, String scope, Duration duration) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(AGE)) {
            statement.setDouble(1, duration.toSeconds());
            statement.setString(2, scope);
            statement.executeUpdate();
        }
    }
}
