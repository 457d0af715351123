package dev.semel.servlet;

import dev.semel.testkit.http.HttpConformance;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The protocol on a servlet container. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServletConformance extends HttpConformance {

    private TestServer server;

    abstract TestServer start() throws Exception;

    @BeforeAll
    void startServer() throws Exception {
        server = start();
    }

    @AfterAll
    void stopServer() throws Exception {
        server.close();
    }

    final TestServer server() {
        return server;
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
