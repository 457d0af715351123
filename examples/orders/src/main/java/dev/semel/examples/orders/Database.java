package dev.semel.examples.orders;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.outbox.Outbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The tables of the business. Neither has a constraint that would hide a second effect. */
final class Database {

    private Database() {}

    static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(12);
        config.setMinimumIdle(1);
        return new HikariDataSource(config);
    }

    static void create(DataSource dataSource) throws SQLException {
        JdbcKeyStore.builder(dataSource).createIfMissing().build().close();
        Outbox.builder(dataSource).createIfMissing().build();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS placed_order"
                    + " (number bigserial PRIMARY KEY, request text, customer text, cents bigint)");
            statement.execute("CREATE TABLE IF NOT EXISTS shipment"
                    + " (number bigserial PRIMARY KEY, placed_order bigint, cents bigint)");
        }
    }

    static long number(DataSource dataSource, String query) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
