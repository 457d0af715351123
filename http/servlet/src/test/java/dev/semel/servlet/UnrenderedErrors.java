package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Errors that are left to a container which has no page for them, or to whoever stands in front of the filter. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class UnrenderedErrors {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private TestServer server;
    private String key = "";

    abstract TestServer start() throws Exception;

    @BeforeAll
    void startServer() throws Exception {
        server = start();
    }

    @AfterAll
    void stopServer() throws Exception {
        server.close();
    }

    @BeforeEach
    void newKey() {
        key = UUID.randomUUID().toString();
    }

    private HttpResponse<String> post() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.uri().resolve(OwnServlet.PATH))
                .header("Authorization", "Bearer alice.1")
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString("hello"))
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void p12AnExceptionThatTheContainerAnswersByItselfRunsOnceAndDoesNotBlockItsKey() throws Exception {
        server.own.handler((request, response) -> {
            throw new IllegalStateException("broke");
        });

        assertThat(post().statusCode()).isEqualTo(500);
        HttpResponse<String> second = Awaitility.await().until(this::post, response -> response.statusCode() != 409);
        assertThat(second.body()).contains("urn:semel:problem:response-not-retained", "\"originalStatus\":500");
        assertThat(server.own.runs).hasValue(1);
    }

    @Test
    void p12TheFailureOfATaskThatTheContainerRunsDoesNotBlockItsKey() throws Exception {
        server.own.handler((request, response) -> request.startAsync().start(() -> {
            throw new IllegalStateException("broke");
        }));

        assertThat(post().statusCode()).isEqualTo(500);
        HttpResponse<String> second = Awaitility.await().until(this::post, response -> response.statusCode() != 409);
        assertThat(second.body()).contains("urn:semel:problem:response-not-retained", "\"originalStatus\":500");
        assertThat(server.own.runs).hasValue(1);
    }

    @Test
    void p15AnErrorThatTheContainerAnswersByItselfRunsOnceAndDoesNotBlockItsKey() throws Exception {
        server.own.handler((request, response) -> response.sendError(422));

        assertThat(post().statusCode()).isEqualTo(422);
        HttpResponse<String> second = Awaitility.await().until(this::post, response -> response.statusCode() != 409);
        assertThat(second.body()).contains("urn:semel:problem:response-not-retained", "\"originalStatus\":422");
        assertThat(server.own.runs).hasValue(1);
    }

    @Test
    void p12AnExceptionOfAHandlerThatSecurityAnswersWith403RunsOnce() throws Exception {
        server.own.handler((request, response) -> {
            throw new SecurityException("not yours");
        });

        assertThat(post().statusCode()).isEqualTo(403);
        HttpResponse<String> second = Awaitility.await().until(this::post, response -> response.statusCode() != 409);
        assertThat(second.body()).contains("urn:semel:problem:response-not-retained", "\"originalStatus\":403");
        assertThat(server.own.runs).hasValue(1);
    }
}
