package dev.semel.jdbc.innodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.jdbc.TransactionalModes;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.testservers.TestMySql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(value = "dev.semel.testservers.TestMySql#isAvailable", disabledReason = TestMySql.MISSING)
class MySqlTransactionalModesTest extends TransactionalModes {

    @Override
    protected HikariDataSource newDatabase() {
        return TestMySql.newDatabase(16);
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
