package dev.semel.jdbc.sqlite;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.StoreContract;
import dev.semel.testservers.TestPostgres;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreContractTest extends StoreContract {

    private static HikariDataSource pool;

    @BeforeAll
    static void open(@TempDir Path directory) {
        pool = TestSqlite.pool(directory.resolve("keys.db"));
        JdbcKeyStore.builder(pool).createIfMissing().build().close();
    }

    @AfterAll
    static void close() {
        pool.close();
    }

    @Override
    protected KeyStore openStore() {
        return JdbcKeyStore.builder(pool).build();
    }

    @Override
    protected void clear() {
        TestPostgres.execute(pool, "DELETE FROM semel_key");
    }
}
