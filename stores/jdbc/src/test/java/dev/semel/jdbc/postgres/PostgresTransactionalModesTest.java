package dev.semel.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.jdbc.TransactionalModes;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

class PostgresTransactionalModesTest extends TransactionalModes {

    @Override
    protected HikariDataSource newDatabase() {
        return TestPostgres.pool(TestPostgres.newDatabase(), 16);
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
