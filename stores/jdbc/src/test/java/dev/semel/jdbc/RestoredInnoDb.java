package dev.semel.jdbc;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservers.TestPostgres;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

/** What a client of MariaDB or MySQL does when it reads back what mysqldump has written: drop, create, insert. */
abstract class RestoredInnoDb extends RestoreContract {

    private static final List<String> TABLES = List.of("semel_key", "semel_key_epoch");

    private final HikariDataSource pool = newDatabase();

    abstract HikariDataSource newDatabase();

    @AfterEach
    void close() {
        pool.close();
    }

    @Override
    DataSource dataSource() {
        return pool;
    }

    @Override
    void dump() {
        for (String table : TABLES) {
            TestPostgres.execute(
                    pool,
                    "CREATE TABLE dump_" + table + " LIKE " + table,
                    "INSERT INTO dump_" + table + " SELECT * FROM " + table);
        }
    }

    /** Not within the second in which the tables were made: an hour ago is more than that. */
    @Override
    void restore() {
        await().until(() -> TestPostgres.number(
                        pool,
                        "SELECT NOW() > create_time + INTERVAL 1 SECOND FROM information_schema.tables"
                                + " WHERE table_schema = DATABASE() AND table_name = 'semel_key_epoch'")
                == 1);
        for (String table : TABLES) {
            TestPostgres.execute(
                    pool,
                    "DROP TABLE IF EXISTS " + table,
                    "CREATE TABLE IF NOT EXISTS " + table + " LIKE dump_" + table,
                    "INSERT INTO " + table + " SELECT * FROM dump_" + table);
        }
    }
}
