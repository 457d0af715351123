package dev.semel.servlet;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testkit.http.SwitchableStore;
import dev.semel.testservers.TestPostgres;
import org.junit.jupiter.api.AfterAll;

class JettyPostgresTest extends ServletConformance {

    private final HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 10);

    @Override
    TestServer start() throws Exception {
        JdbcKeyStore store = JdbcKeyStore.builder(pool).createIfMissing().build();
        return new JettyServer(ErrorRendering.CONTAINER, true, new SwitchableStore(store));
    }

    @AfterAll
    void closePool() {
        pool.close();
    }
}
