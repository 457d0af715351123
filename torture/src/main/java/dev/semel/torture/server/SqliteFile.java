package dev.semel.torture.server;

import java.nio.file.Path;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** An SQLite database in a file that all nodes open. */
public record SqliteFile(Path file) implements Database {

    public String url() {
        return "jdbc:sqlite:" + file;
    }

    @Override
    public DataSource direct() {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl(url());
        return source;
    }

    @Override
    public void heal() {}

    @Override
    public void close() {}
}
