package dev.semel.jdbc.innodb;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.jdbc.HeldRows;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.testservers.TestMySql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(value = "dev.semel.testservers.TestMySql#isAvailable", disabledReason = TestMySql.MISSING)
class MySqlHeldRowsTest extends HeldRows {

    @Override
    protected HikariDataSource newDatabase() {
        return TestMySql.newDatabase(16);
    }

    @Override
    protected PreparedStatement lock(Connection connection, Key key) throws SQLException {
        PreparedStatement lock =
                connection.prepareStatement("SELECT digest FROM semel_key WHERE digest = ? FOR UPDATE");
        lock.setBytes(1, KeyRow.bytes(key.digest()));
        return lock;
    }
}
