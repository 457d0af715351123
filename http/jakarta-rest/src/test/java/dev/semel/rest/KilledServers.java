package dev.semel.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservers.TestPostgres;
import dev.semel.testservers.TestProcess;
import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Servers are killed while five requests each are between the claim of their key and its settle; their clients retry at
 * another server. Twenty operations, and none has a second effect.
 */
abstract class KilledServers {

    private static final int KILLS = 4;
    private static final int REQUESTS = 5;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    abstract Servlet servlet(Application application);

    /** A class whose main method runs a {@link DoomedServer}. */
    abstract Class<?> doomed();

    @Test
    void noRetryAtAnotherServerHasASecondEffect() throws Exception {
        String database = TestPostgres.newDatabase();
        try (HikariDataSource pool = TestPostgres.pool(database, 10)) {
            TestPostgres.execute(pool, "create table charges (order_id text not null)");
            try (RestServer survivor = DoomedServer.start(pool, this::servlet)) {
                survivor.own.effect = order -> DoomedServer.charge(pool, order);
                for (int kill = 1; kill <= KILLS; kill++) {
                    List<String> orders = new ArrayList<>();
                    try (TestProcess doomed = TestProcess.start(doomed(), TestPostgres.url(database))) {
                        for (int i = 0; i < REQUESTS; i++) {
                            orders.add(UUID.randomUUID().toString());
                            CLIENT.sendAsync(
                                    charge(doomed.port(), orders.get(i)), HttpResponse.BodyHandlers.discarding());
                        }
                        int expected = kill * REQUESTS;
                        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> charges(pool) == expected);
                    }
                    for (String order : orders) {
                        Awaitility.await()
                                .atMost(Duration.ofSeconds(60))
                                .until(() -> retry(survivor, order), body -> body.contains("outcome-unknown"));
                    }
                }
                assertThat(charges(pool)).isEqualTo(KILLS * REQUESTS);
                assertThat(TestPostgres.number(pool, "select count(distinct order_id) from charges"))
                        .isEqualTo(KILLS * REQUESTS);
            }
        }
    }

    private static String retry(RestServer survivor, String order) throws Exception {
        HttpResponse<String> answer =
                CLIENT.send(charge(survivor.uri().getPort(), order), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
        return answer.body();
    }

    private static long charges(HikariDataSource pool) {
        return TestPostgres.number(pool, "select count(*) from charges");
    }

    private static HttpRequest charge(int port, String order) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/own/charge"))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer alice.1")
                .header("Idempotency-Key", order)
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(order))
                .build();
    }
}
