package dev.semel.jdbc.sqlite;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcStoreContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

class SqliteStoreContractTest extends JdbcStoreContract {

    @Override
    protected HikariDataSource newDatabase() {
        try {
            Path file = Files.createTempFile("semel", ".db");
            file.toFile().deleteOnExit();
            return TestSqlite.pool(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
