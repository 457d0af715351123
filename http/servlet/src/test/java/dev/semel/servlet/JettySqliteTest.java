package dev.semel.servlet;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testkit.http.SwitchableStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;

class JettySqliteTest extends ServletConformance {

    @TempDir
    static Path directory;

    private final HikariDataSource pool = new HikariDataSource();

    @Override
    TestServer start() throws Exception {
        pool.setJdbcUrl("jdbc:sqlite:" + directory.resolve("keys.db"));
        JdbcKeyStore store = JdbcKeyStore.builder(pool).createIfMissing().build();
        return new JettyServer(ErrorRendering.CONTAINER, true, new SwitchableStore(store));
    }

    @AfterAll
    void closePool() {
        pool.close();
    }
}
