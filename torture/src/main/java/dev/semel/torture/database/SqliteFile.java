package dev.semel.torture.database;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.sqlite.SQLiteDataSource;

/** An SQLite database in a file that all nodes open. */
public record SqliteFile(Path file) implements RestorableDatabase {

    @Override
    public List<Integer> ports() {
        return List.of();
    }

    @Override
    public String url(List<Integer> ports) {
        return "jdbc:sqlite:" + file;
    }

    @Override
    public void inspect(Look look) throws Exception {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl(url(List.of()));
        SqlTables.inspect(source, look);
    }

    @Override
    public String restart(Random random) {
        throw new UnsupportedOperationException("a file has no server");
    }

    /** But for the file that remembers how far the database has come, which no backup contains. */
    @Override
    public List<Path> files() {
        return Stream.of("", "-wal", "-shm")
                .map(end -> file.resolveSibling(file.getFileName() + end))
                .toList();
    }

    @Override
    public boolean isOpenedByNodes() {
        return true;
    }

    @Override
    public void shutDown() {}

    @Override
    public void startUp() {}

    @Override
    public List<ProcessHandle> processes() {
        return List.of();
    }

    @Override
    public void heal() {}

    @Override
    public void close() {}
}
