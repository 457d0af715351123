package dev.semel.torture;

import java.nio.file.Path;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** An SQLite database in a file that all nodes open. */
final class SqliteFile implements Database {

    private final Path file;

    SqliteFile(Path file) {
        this.file = file;
    }

    String url() {
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
