package dev.semel.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.memory.InMemoryKeyStore;
import dev.semel.testkit.http.SwitchableStore;
import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is special about resources: mappers, interceptors, asynchronous methods. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RestFeatures {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private RestServer server;
    private String key = "";

    abstract Servlet servlet(Application application);

    @BeforeAll
    void startServer() throws Exception {
        server = new RestServer(new SwitchableStore(InMemoryKeyStore.create()), this::servlet);
    }

    @AfterAll
    void stopServer() throws Exception {
        server.close();
    }

    @BeforeEach
    void reset() {
        key = UUID.randomUUID().toString();
        server.own.runs.set(0);
    }

    @Test
    void aResourceMethodReadsTheBodyThatWasCompared() throws Exception {
        assertThat(post("text", "a body").body()).isEqualTo("a body in run 1");
        assertThat(post("text", "a body").body()).isEqualTo("a body in run 1");
        assertThat(post("text", "another").statusCode()).isEqualTo(422);
    }

    @Test
    void aBodyOverTheLimitIsRefused() throws Exception {
        assertThat(post("text", "x".repeat(OwnResource.MAX_BODY + 1)).statusCode())
                .isEqualTo(413);
        assertThat(post("text", "x".repeat(OwnResource.MAX_BODY)).statusCode()).isEqualTo(200);
        assertThat(server.own.runs).hasValue(1);
    }

    @Test
    void aMethodThatIsNotMarkedIsLeftAlone() throws Exception {
        post("unmarked", "");

        assertThat(post("unmarked", "").body()).isEqualTo("run 2");
    }

    @Test
    void theResponseOfAnExceptionMapperIsStored() throws Exception {
        HttpResponse<String> first = post("mapped", "");
        HttpResponse<String> second = post("mapped", "");

        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(first.body()).isEqualTo("mapped run 1");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
        assertThat(server.own.runs).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nested", "nested-stage", "nested-resume"})
    void aFailureOfTheStoreIsNoOutcomeWhateverAMapperMakesOfIt(String path) throws Exception {
        assertThat(post(path, "").statusCode()).isEqualTo(503);

        HttpResponse<String> second = post(path, "");
        assertThat(isReplay(second)).isFalse();
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("outcome-unknown");
        assertThat(server.own.runs).hasValue(1);
    }

    @Test
    void anAsyncResponseThatTimesOutHasAnUnknownOutcome() throws Exception {
        assertThat(post("time-out", "").body()).contains("outcome-unknown");

        assertThat(post("time-out", "").body()).contains("outcome-unknown");
        assertThat(server.own.runs).hasValue(1);
    }

    @Test
    void aRequestThatALaterFilterRefusesDidNotRun() throws Exception {
        HttpResponse<String> refused = CLIENT.send(
                request("text", "a body").header(LimitFilter.REFUSED, "yes").build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(server.own.runs).hasValue(0);

        HttpResponse<String> second = post("text", "a body");
        assertThat(second.body()).isEqualTo("a body in run 1");
        assertThat(isReplay(second)).isFalse();
    }

    @Test
    void aRequestWhoseResponseIsNeverSeenDoesNotHoldItsKey() throws Exception {
        HttpResponse<String> broken = CLIENT.send(
                request("text", "a body").header(BrokenFilter.BROKEN, "yes").build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(broken.statusCode()).isEqualTo(500);

        HttpResponse<String> second = Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> post("text", "a body"), answer -> !answer.body().contains("in-flight"));
        assertThat(second.body()).contains("outcome-unknown");
        assertThat(server.own.runs).hasValue(1);
    }

    @Test
    void aStreamThatBreaksIsAFailureThatIsReplayed() throws Exception {
        HttpResponse<String> first = post("half", "");
        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(first.body()).contains("operation-failed").doesNotContain("broke");

        HttpResponse<String> second = post("half", "");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
        assertThat(server.own.runs).hasValue(1);
    }

    @Test
    void aResponseThatCannotBeWrittenIsAFailureThatIsReplayed() throws Exception {
        assertThat(post("no-writer", "").statusCode()).isEqualTo(500);

        HttpResponse<String> second = post("no-writer", "");
        assertThat(second.statusCode()).isEqualTo(500);
        assertThat(isReplay(second)).isTrue();
        assertThat(server.own.runs).hasValue(1);
    }

    @Test
    void aReplayIsNotEncodedAgain() throws Exception {
        HttpResponse<byte[]> first =
                CLIENT.send(request("zipped", "").build(), HttpResponse.BodyHandlers.ofByteArray());
        HttpResponse<byte[]> second =
                CLIENT.send(request("zipped", "").build(), HttpResponse.BodyHandlers.ofByteArray());

        assertThat(first.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(second.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
    }

    private static boolean isReplay(HttpResponse<?> response) {
        return response.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return CLIENT.send(request(path, body).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path, String body) {
        return HttpRequest.newBuilder(server.uri().resolve("own/" + path))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer alice.1")
                .header("Idempotency-Key", key)
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }
}
