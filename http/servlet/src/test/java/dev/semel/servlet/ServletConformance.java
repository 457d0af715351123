package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testkit.http.HttpConformance;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
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

    @Test
    void leavesTheContainerTheFailureOfASourceOfKeys() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.uri().resolve(TestServer.NO_KEY_PATH))
                .timeout(Duration.ofSeconds(10))
                .header("Authorization", "Bearer alice.1")
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();

        assertThat(HttpClient.newHttpClient()
                        .send(request, HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(500);
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
