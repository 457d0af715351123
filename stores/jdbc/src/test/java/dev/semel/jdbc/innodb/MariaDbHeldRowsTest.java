package dev.semel.jdbc.innodb;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.jdbc.HeldRows;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.testservers.TestMariaDb;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

class MariaDbHeldRowsTest extends HeldRows {

    @Override
    protected HikariDataSource newDatabase() {
        return TestMariaDb.newDatabase(16);
    }

    @Override
    protected PreparedStatement lock(Connection connection, Key key) throws SQLException {
        PreparedStatement lock =
                connection.prepareStatement("SELECT digest FROM semel_key WHERE digest = ? FOR UPDATE");
        lock.setBytes(1, KeyRow.bytes(key.digest()));
        return lock;
    }
}
