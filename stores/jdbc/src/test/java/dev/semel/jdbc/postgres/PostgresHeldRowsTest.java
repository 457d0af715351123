package dev.semel.jdbc.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.jdbc.HeldRows;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

public class PostgresHeldRowsTest extends HeldRows {

    @Override
    protected HikariDataSource newDatabase() {
        return TestPostgres.pool(TestPostgres.newDatabase(), 16);
    }

    @Override
    protected PreparedStatement lock(Connection connection, Key key) throws SQLException {
        PreparedStatement lock =
                connection.prepareStatement("SELECT digest FROM semel_key WHERE digest = ? FOR UPDATE");
        lock.setObject(1, key.digest().asUuid());
        return lock;
    }
}
