package dev.semel.jdbc.postgres.generations;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.TransactionalModes;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** The transactional modes on a table that keeps its keys in generations. */
class GenerationsTransactionalModesTest extends TransactionalModes {

    @Override
    protected HikariDataSource newDatabase() {
        HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 16);
        JdbcKeyStore.builder(pool)
                .generations(Duration.ofHours(12))
                .createIfMissing()
                .build()
                .close();
        return pool;
    }

    @Override
    protected void lapse(Connection connection, Key key) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE semel_key SET lease_until = clock_timestamp() WHERE digest = ?")) {
            update.setObject(1, key.digest().asUuid());
            assertThat(update.executeUpdate()).isOne();
        }
    }
}
