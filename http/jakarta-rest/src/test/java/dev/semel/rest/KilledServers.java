package dev.semel.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.KilledCalls;
import dev.semel.testservers.KilledCalls.Moment;
import dev.semel.testservers.TestPostgres;
import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Twenty servers are killed, each while a request is between the claim of its key and its settle; their clients retry at
 * another server. None has a second effect.
 */
abstract class KilledServers {

    private static final int KILLS = 20;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    abstract Servlet servlet(Application application);

    /** A class whose main method runs a {@link DoomedServer}. */
    abstract Class<?> doomed();

    @Test
    void noRetryAtAnotherServerHasASecondEffect() throws Exception {
        try (KilledCalls calls = new KilledCalls(TestPostgres.newDatabase());
                RestServer survivor = DoomedServer.survivor(calls.pool(), this::servlet)) {
            Map<String, Moment> killed = calls.kill(
                    KILLS,
                    doomed(),
                    (port, order) -> CLIENT.sendAsync(charge(port, order), HttpResponse.BodyHandlers.discarding()));

            killed.forEach((order, moment) -> {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> retry(survivor, order), body -> body.contains("outcome-unknown"));
                assertThat(calls.charges(order))
                        .as("killed when " + moment)
                        .isEqualTo(moment == Moment.CLAIMED ? 0 : 1);
            });
            assertThat(killed).hasSize(KILLS);
        }
    }

    /** Until the lease of the dead lapses, the retry is told that the key is in flight. */
    private static String retry(RestServer survivor, String order) throws Exception {
        HttpResponse<String> answer =
                CLIENT.send(charge(survivor.uri().getPort(), order), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
        return answer.body();
    }

    private static HttpRequest charge(int port, String order) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/own/charge"))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer alice.1")
                .header("Idempotency-Key", order)
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(order))
                .build();
    }
}
