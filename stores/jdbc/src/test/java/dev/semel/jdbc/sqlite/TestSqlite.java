package dev.semel.jdbc.sqlite;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;

/** SQLite databases for tests, each in a file of its own. */
public final class TestSqlite {

    private TestSqlite() {}

    public static HikariDataSource pool(Path file) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite:" + file);
        config.setMaximumPoolSize(16);
        config.setMinimumIdle(1);
        return new HikariDataSource(config);
    }
}
