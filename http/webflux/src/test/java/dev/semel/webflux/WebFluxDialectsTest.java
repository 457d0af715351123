package dev.semel.webflux;

import dev.semel.memory.InMemoryKeyStore;
import dev.semel.testkit.http.DialectConformance;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Every dialect on WebFlux. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebFluxDialectsTest extends DialectConformance {

    private SampleServer server;

    @BeforeAll
    void startServer() {
        server = new SampleServer(InMemoryKeyStore.create());
    }

    @AfterAll
    void stopServer() {
        server.close();
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
