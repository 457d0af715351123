package dev.semel.jdbc.innodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.jdbc.TransactionalModes;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.testservers.TestMariaDb;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

class MariaDbTransactionalModesTest extends TransactionalModes {

    @Override
    protected HikariDataSource newDatabase() {
        return TestMariaDb.newDatabase(16);
    }

    @Override
    protected void lapse(Connection connection, Key key) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE semel_key SET lease_until = " + InnoDbDialect.NOW + " WHERE digest = ?")) {
            update.setBytes(1, KeyRow.bytes(key.digest()));
            assertThat(update.executeUpdate()).isOne();
        }
    }
}
