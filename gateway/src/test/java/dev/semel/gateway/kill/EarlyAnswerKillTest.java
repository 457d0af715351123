package dev.semel.gateway.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.gateway.GatewayProcess;
import dev.semel.gateway.TestUpstream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a gateway that has answered 202 (`Prefer: respond-async`) and does not have the outcome yet. The recovery of the
 * operation decides what becomes of it, and the status resource of the gateway that is started next says so.
 */
class EarlyAnswerKillTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String KEY = "key-1";

    @TempDir
    Path directory;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final TestUpstream upstream = new TestUpstream();
    private GatewayProcess gateway;

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    /** The status resource, after the process that had answered was killed and another one was started. */
    private String killBetweenAnswerAndSettle(String recovery) throws Exception {
        gateway = new GatewayProcess(
                        directory,
                        "256m",
                        upstream.url(),
                        "sqlite:" + directory.resolve("keys.db"),
                        "--respond-async",
                        "--lease",
                        "1s",
                        "--recovery",
                        recovery)
                .start();
        HttpResponse<String> accepted = post("respond-async");
        assertThat(accepted.statusCode()).isEqualTo(202);
        await().atMost(PATIENCE).until(() -> upstream.waiting() == 1);
        gateway.shoot();
        await().atMost(PATIENCE).until(() -> !gateway.isAlive());
        gateway.start();
        return accepted.headers().firstValue("Location").orElseThrow();
    }

    private HttpResponse<String> post(String preference) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(gateway.uri("/hold"))
                .header("Idempotency-Key", KEY)
                .header("Content-Type", "application/json")
                .header("Prefer", preference)
                .POST(BodyPublishers.ofString("{\"amount\":1}")));
    }

    private HttpResponse<String> ask(String location) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(gateway.uri(location)));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
    }

    @Test
    void anOperationThatIsHeldIsUnknownAndDoesNotRunAgain() throws Exception {
        String location = killBetweenAnswerAndSettle("hold");

        HttpResponse<String> pending = ask(location);
        assertThat(pending.statusCode()).as(pending.body()).isIn(202, 409);
        assertThat(pending.body()).containsAnyOf("\"outcome\":\"pending\"", "outcome-unknown");
        upstream.releaseAll();
        HttpResponse<String> again =
                await().atMost(PATIENCE).until(() -> post("respond-async"), answer -> answer.statusCode() != 202);
        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(again.body()).contains("outcome-unknown");
        assertThat(ask(location).statusCode()).isEqualTo(409);
        assertThat(ask(location).body()).contains("outcome-unknown", "\"outcome\":\"unknown\"");
        assertThat(upstream.effects(KEY)).isEqualTo(1);
    }

    @Test
    void anOperationThatMayRunAgainIsRunByARetryAndThenKnown() throws Exception {
        String location = killBetweenAnswerAndSettle("re-execute");

        assertThat(ask(location).statusCode()).isEqualTo(202);
        assertThat(upstream.effects(KEY)).isEqualTo(1);
        await().atMost(PATIENCE).until(() -> {
            post("respond-async");
            return upstream.effects(KEY) == 2;
        });
        assertThat(ask(location).statusCode()).isEqualTo(202);
        upstream.releaseAll();

        HttpResponse<String> outcome =
                await().atMost(PATIENCE).until(() -> ask(location), answer -> answer.statusCode() != 202);
        assertThat(outcome.statusCode()).isEqualTo(201);
        assertThat(outcome.body()).isEqualTo("{\"key\":\"key-1\",\"run\":2}");
        assertThat(post("wait=1").body()).isEqualTo(outcome.body());
        assertThat(upstream.effects(KEY)).isEqualTo(2);
    }
}
