package dev.semel.webflux;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testkit.http.HttpConformance;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import dev.semel.testservers.TestPostgres;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The protocol, point by point, on WebFlux, Reactor Netty and PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebFluxConformanceTest extends HttpConformance {

    private HikariDataSource dataSource;
    private SampleServer server;

    @BeforeAll
    void startServer() {
        dataSource = TestPostgres.pool(TestPostgres.newDatabase(), 10);
        server = new SampleServer(
                JdbcKeyStore.builder(dataSource).createIfMissing().build());
    }

    @AfterAll
    void stopServer() {
        server.close();
        dataSource.close();
    }

    @Override
    protected URI baseUri() {
        return server.uri();
    }

    @Override
    protected SampleService service() {
        return server.service;
    }

    @Override
    protected SwitchableStore store() {
        return server.store;
    }
}
