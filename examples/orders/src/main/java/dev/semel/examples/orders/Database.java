package dev.semel.examples.orders;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.outbox.Outbox;
import dev.semel.testservers.TestPostgres;
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

    static void create(DataSource dataSource) {
        JdbcKeyStore.builder(dataSource).createIfMissing().build().close();
        Outbox.builder(dataSource).createIfMissing().build();
        TestPostgres.execute(
                dataSource,
                "CREATE TABLE IF NOT EXISTS placed_order"
                        + " (number bigserial PRIMARY KEY, request text, customer text, cents bigint)",
                "CREATE TABLE IF NOT EXISTS shipment"
                        + " (number bigserial PRIMARY KEY, placed_order bigint, cents bigint)");
    }
}
