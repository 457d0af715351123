package dev.semel.servlet;

import dev.semel.testkit.http.DialectConformance;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Every dialect on a servlet container. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TomcatDialectsTest extends DialectConformance {

    private TestServer server;

    @BeforeAll
    void startServer() throws Exception {
        server = new TomcatServer(ErrorRendering.PROBLEM, false);
    }

    @AfterAll
    void stopServer() throws Exception {
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
