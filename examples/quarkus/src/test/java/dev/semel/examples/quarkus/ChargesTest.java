package dev.semel.examples.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.testservers.TestPostgres;
import dev.semel.testservers.TestProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * The service as the build has packaged it. Twenty services are killed, each while a blocking request and a reactive one are
 * between the claim of their key and its settle. Their clients retry at another service, and none has a second effect.
 */
class ChargesTest {

    private static final int KILLS = 20;
    private static final int REQUESTS = 2;
    private static final Path JAR = Path.of("target", "quarkus-app", "quarkus-run.jar");
    private static final Pattern LISTENS = Pattern.compile("Listening on: http://127.0.0.1:([0-9]+)");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** An operation, with the path that it was sent to. */
    private record Charge(String path, String order) {

        static Charge number(int i) {
            return new Charge(
                    i % 2 == 0 ? "charges" : "charges/later", UUID.randomUUID().toString());
        }

        HttpRequest to(TestProcess service) {
            return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + "/" + path))
                    .timeout(Duration.ofSeconds(60))
                    .header("Idempotency-Key", order)
                    .header("Content-Type", "text/plain")
                    .POST(HttpRequest.BodyPublishers.ofString(order))
                    .build();
        }
    }

    @Test
    void noRetryAtAnotherServiceHasASecondEffect() throws Exception {
        String database = TestPostgres.newDatabase();
        try (HikariDataSource pool = TestPostgres.pool(database, 2);
                TestProcess survivor = service(database, false)) {
            replaysACharge(survivor);
            TestPostgres.execute(pool, "delete from charge");
            List<Charge> charges = new ArrayList<>();
            for (int kill = 1; kill <= KILLS; kill++) {
                try (TestProcess doomed = service(database, true)) {
                    for (int i = 0; i < REQUESTS; i++) {
                        Charge charge = Charge.number(i);
                        charges.add(charge);
                        CLIENT.sendAsync(charge.to(doomed), HttpResponse.BodyHandlers.discarding());
                    }
                    Awaitility.await()
                            .atMost(Duration.ofSeconds(60))
                            .until(() -> TestPostgres.number(pool, "select count(*) from charge") == charges.size());
                }
            }
            for (Charge charge : charges) {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> retry(survivor, charge), body -> body.contains("outcome-unknown"));
            }
            assertThat(TestPostgres.number(pool, "select count(*) from charge")).isEqualTo(KILLS * REQUESTS);
            assertThat(TestPostgres.number(pool, "select count(distinct order_id) from charge"))
                    .isEqualTo(KILLS * REQUESTS);
        }
    }

    @Test
    void aServiceResolvesALapsedKeyBeforeItsFirstRequest() throws Exception {
        String database = TestPostgres.newDatabase();
        try (HikariDataSource pool = TestPostgres.pool(database, 2);
                JdbcKeyStore store =
                        JdbcKeyStore.builder(pool).createIfMissing().build()) {
            Key key = Key.of("everybody", "left behind");
            store.claim(ClaimRequest.builder(key, "charge-later", Fingerprint.of("x"))
                            .lease(Duration.ofSeconds(1))
                            .build())
                    .toCompletableFuture()
                    .join();

            try (TestProcess service = service(database, false, "-Dsemel.maintenance-interval=1s")) {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> store.find(key.digest())
                                        .toCompletableFuture()
                                        .join()
                                        .orElseThrow()
                                        .state()
                                == KeyState.UNKNOWN);
                assertThat(service.port()).isPositive();
            }
        }
    }

    private static void replaysACharge(TestProcess service) throws Exception {
        for (int i = 0; i < 2; i++) {
            Charge charge = Charge.number(i);
            HttpResponse<String> first = CLIENT.send(charge.to(service), HttpResponse.BodyHandlers.ofString());
            HttpResponse<String> second = CLIENT.send(charge.to(service), HttpResponse.BodyHandlers.ofString());

            assertThat(first.body()).startsWith("charged " + charge.order() + ", receipt ");
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        }
    }

    private static String retry(TestProcess survivor, Charge charge) throws Exception {
        HttpResponse<String> answer = CLIENT.send(charge.to(survivor), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
        return answer.body();
    }

    private static TestProcess service(String database, boolean silent, String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of(
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=0",
                "-Dquarkus.datasource.jdbc.url=" + TestPostgres.url(database),
                "-Dquarkus.datasource.username=postgres",
                "-Dquarkus.datasource.jdbc.max-size=10",
                "-Dsemel.lease=5s",
                "-Dprocessor.silent=" + silent));
        options.addAll(List.of(more));
        return TestProcess.startJar(JAR, LISTENS, options.toArray(String[]::new));
    }
}
