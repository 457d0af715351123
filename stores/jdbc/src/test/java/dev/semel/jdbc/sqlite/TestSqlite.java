package dev.semel.jdbc.sqlite;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;

/** SQLite databases for tests, each in a file of its own. */
public final class TestSqlite {

    private TestSqlite() {}

    public static HikariDataSource pool(Path file) {
        return pool(file, 16);
    }

    /** With one connection, which keeps what it has attached. */
    public static HikariDataSource single(Path file) {
        return pool(file, 1);
    }

    private static HikariDataSource pool(Path file, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite:" + file);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(1);
        return new HikariDataSource(config);
    }
}
