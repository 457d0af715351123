package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Handlers of Spring MVC with {@code semel.http.shadow=true}, on Tomcat and PostgreSQL. */
class ShadowModeTest {

    private static ConfigurableApplicationContext application;

    private final String key = UUID.randomUUID().toString();
    private TestClient client;
    private MvcController controller;

    @BeforeAll
    static void start() {
        application = MvcApplication.start(
                "semel.http.shadow=true",
                "semel.namespace=v1:shadowed",
                "management.endpoints.web.exposure.include=semelshadow,metrics");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void connect() {
        client = MvcApplication.client(application);
        controller = application.getBean(MvcController.class);
        controller.runs.set(0);
        controller.gate = CompletableFuture.completedFuture("open");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/charge",
                "/deferred",
                "/future",
                "/mono",
                "/flux",
                "/stream",
                "/nothing",
                "/rendered",
                "/rendered-later",
                "/send-error",
                "/status-exception",
                "/thrown",
                "/accounts/1/charge"
            })
    void runsEveryKindOfHandlerAgainAndMarksNothing(String path) throws Exception {
        HttpResponse<String> first = client.post(path, key, "{\"a\":1,\"b\":2}");
        int runs = controller.runs.get();
        HttpResponse<String> second = client.post(path, key, "{\"a\":1,\"b\":2}");

        assertThat(controller.runs).hasValue(2 * runs);
        assertThat(second.statusCode()).isEqualTo(first.statusCode());
        assertThat(second.headers().map().keySet())
                .isEqualTo(first.headers().map().keySet())
                .noneMatch(name -> name.startsWith("idempot"));
    }

    @Test
    void theEndpointReportsWhoExecutedTwice() throws Exception {
        client.post("/charge", key, "{\"a\":1}", "zoe.1");
        client.post("/charge", key, "{\"a\":1}", "zoe.1");

        // Twice or in parallel: the first may not be over on the server when the second begins.
        await().untilAsserted(
                        () -> assertThat(client.get("/actuator/semelshadow").body())
                                .contains("\"caller\":\"zoe\",\"executedTwice\":1,\"found\":{\"executed_")
                                .contains("\"readyToRequireKeys\":true"));
        assertThat(client.get("/actuator/semelshadow?since=1h").statusCode()).isEqualTo(200);
        assertThat(client.get("/actuator/semelshadow?since=-1h").statusCode()).isEqualTo(400);
    }

    @Test
    void theEndpointReportsWhatWouldHaveBeenHeld() throws Exception {
        assertThat(client.post("/unknown", key, "{\"a\":1}", "yves.1").statusCode())
                .isEqualTo(500);

        await().untilAsserted(
                        () -> assertThat(client.get("/actuator/semelshadow").body())
                                .contains("\"caller\":\"yves\",\"executedTwice\":0,\"found\":{\"outcome_unknown\":1}"));
    }

    @Test
    void theStatusPathIsLeftToTheApplication() throws Exception {
        assertThat(client.get("/operations/" + key).statusCode()).isEqualTo(404);
        assertThat(headers(client.get("/operations/" + key))).isEqualTo(headers(client.get("/no-such-path/" + key)));
    }

    private static Map<String, List<String>> headers(HttpResponse<?> response) {
        Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
        headers.remove("date");
        headers.remove("content-length");
        return headers;
    }
}
