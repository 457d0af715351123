package dev.semel.rest;

import dev.semel.memory.InMemoryKeyStore;
import dev.semel.testkit.http.HttpConformance;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The protocol on an implementation of Jakarta REST. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RestConformance extends HttpConformance {

    private RestServer server;

    abstract Servlet servlet(Application application);

    @BeforeAll
    void startServer() throws Exception {
        server = new RestServer(new SwitchableStore(InMemoryKeyStore.create()), this::servlet);
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
