package dev.semel.torture.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testkit.history.Effect;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** What an SQL database holds: the keys, and the effects that transactions have. */
final class SqlTables {

    static final String CREATE_EFFECTS =
            "CREATE TABLE torture_effect (operation varchar(20) NOT NULL, scope varchar(50) NOT NULL,"
                    + " key_value varchar(100) NOT NULL, request varchar(50) NOT NULL, attempt integer NOT NULL,"
                    + " token bigint NOT NULL)";

    private static final String EFFECTS =
            "SELECT scope, key_value, request, attempt, token FROM torture_effect WHERE operation = ?";

    private SqlTables() {}

    static void inspect(DataSource direct, Database.Look look) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setDataSource(direct);
        config.setMaximumPoolSize(2);
        // Whether the database is up is for the store to find out.
        config.setInitializationFailTimeout(-1);
        try (HikariDataSource pool = new HikariDataSource(config);
                JdbcKeyStore keys = JdbcKeyStore.builder(pool).build()) {
            look.at(keys);
        }
    }

    static List<Effect> effects(DataSource direct, Operation operation) throws SQLException {
        List<Effect> effects = new ArrayList<>();
        try (Connection connection = direct.getConnection();
                PreparedStatement query = connection.prepareStatement(EFFECTS)) {
            query.setString(1, operation.name());
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    effects.add(new Effect(
                            Key.of(rows.getString(1), rows.getString(2)),
                            rows.getString(3),
                            rows.getInt(4),
                            rows.getLong(5)));
                }
            }
        }
        return effects;
    }
}
