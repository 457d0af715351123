package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.sqlite.TestSqlite;
import dev.semel.testservers.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A SQLite database whose file is overwritten by a backup; what it had come to stands in a file beside it. */
class RestoredSqliteTest extends RestoreContract {

    @TempDir
    Path directory;

    private HikariDataSource pool;

    @BeforeEach
    void open() {
        pool = TestSqlite.pool(database());
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private Path database() {
        return directory.resolve("keys.db");
    }

    @Override
    DataSource dataSource() {
        return pool;
    }

    @Override
    Path file() {
        return directory.resolve("keys.db-epoch");
    }

    @Override
    void dump() {
        TestPostgres.execute(pool, "VACUUM INTO '" + directory.resolve("backup.db") + "'");
    }

    /** Nobody can use the file while it is overwritten, so what is in it is put into the database that is open. */
    @Override
    void restore() throws Exception {
        try (HikariDataSource single = TestSqlite.single(database())) {
            TestPostgres.execute(
                    single,
                    "ATTACH '" + directory.resolve("backup.db") + "' AS backup",
                    "BEGIN IMMEDIATE",
                    "DELETE FROM main.semel_key",
                    "INSERT INTO main.semel_key SELECT * FROM backup.semel_key",
                    "DELETE FROM main.semel_key_epoch",
                    "INSERT INTO main.semel_key_epoch SELECT * FROM backup.semel_key_epoch",
                    "COMMIT");
        }
        Files.delete(directory.resolve("backup.db"));
    }
}
