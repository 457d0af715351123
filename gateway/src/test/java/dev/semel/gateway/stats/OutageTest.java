package dev.semel.gateway.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.gateway.GatewayProcess;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import dev.semel.gateway.console.Browser;
import dev.semel.testservers.TestPorts;
import dev.semel.testservers.TestPostgres;
import io.vertx.core.json.JsonObject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL stops under load and comes back: what callers, the console, the alerts and the log say of it. */
class OutageTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int FASTER = 60;
    private static final int CALLERS = 4;
    private static final Duration PACE = Duration.ofMillis(10);

    @TempDir
    Path directory;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger requests = new AtomicInteger();
    private int databasePort;

    @Test
    @Timeout(300)
    void anOutageOfTheStoreIsSeenEverywhereAndEndsByItself() throws Exception {
        Browser browser = Browser.open();
        databasePort = TestPorts.free();
        EmbeddedPostgres database = startDatabase();
        ExecutorService load = Executors.newFixedThreadPool(CALLERS);
        AtomicBoolean over = new AtomicBoolean();
        try (TestUpstream upstream = new TestUpstream();
                GatewayProcess gateway = new GatewayProcess(
                                directory, "256m", upstream.url(), database.getJdbcUrl("postgres", "postgres"))
                        .start();
                TestGateway healthy =
                        TestGateway.start(upstream.url(), "store", "jdbc:postgresql://127.0.0.1/healthy");
                Prometheus prometheus = Prometheus.start(
                        directory,
                        ObservabilityFiles.rulesFasterBy(FASTER),
                        new Prometheus.Target("pay", gateway.adminUri("/").getPort(), GatewayProcess.ADMIN_TOKEN),
                        new Prometheus.Target("mail", healthy.gateway.adminPort(), healthy.adminToken()))) {
            Map<Integer, Integer> statuses = new ConcurrentHashMap<>();
            for (int i = 0; i < CALLERS; i++) {
                load.execute(() -> {
                    while (!over.get()) {
                        statuses.merge(charge(gateway).statusCode(), 1, Integer::sum);
                        // A refusal comes at once, and the machine has other things to do.
                        LockSupport.parkNanos(PACE.toNanos());
                    }
                });
            }
            browser.go(gateway.adminUri("/#token=" + GatewayProcess.ADMIN_TOKEN).toString());
            browser.see("#live", "live");
            await().atMost(PATIENCE).until(() -> prometheus.series("idempotency_store_up == 1", 2) == 2);
            await().atMost(PATIENCE).until(() -> statuses.getOrDefault(201, 0) > 20);

            Instant stopped = Instant.now();
            database.close();

            browser.see(".health [data-part=store]", "The store does not answer since ");
            Duration untilSeen = Duration.between(stopped, Instant.now());
            Instant since = Instant.parse(browser.ask("document.querySelector('.health time').dateTime"));
            assertThat(since).isBetween(stopped.minusSeconds(1), stopped.plusSeconds(3));
            browser.see("#live", "failing");
            Duration slowest = slowestOf(20, gateway);
            assertThat(statuses).containsKey(503);
            assertThat(admin(gateway, "/ready").statusCode()).isEqualTo(503);
            await().atMost(PATIENCE)
                    .until(() -> !prometheus.jobsWith("SemelStoreDown").isEmpty());
            assertThat(prometheus.jobsWith("SemelStoreDown")).containsExactly("pay");
            assertThat(failures(gateway, "storeUnavailable")).isGreaterThanOrEqualTo(20);

            database = startDatabase();

            await().atMost(PATIENCE).until(() -> admin(gateway, "/ready").statusCode() == 200);
            browser.see("#live", "live");
            await().atMost(PATIENCE).until(() -> browser.ask("document.querySelector('.health').hidden"));
            await().atMost(PATIENCE).until(() -> charge(gateway).statusCode() == 201);
            await().atMost(PATIENCE)
                    .until(() -> prometheus.jobsWith("SemelStoreDown").isEmpty());
            over.set(true);
            Duration lasted = Duration.between(stopped, Instant.now());

            List<String> lines = gateway.printed().lines().toList();
            assertThat(lines)
                    .filteredOn(line -> line.contains("event=store_down"))
                    .hasSize(1);
            assertThat(lines)
                    .filteredOn(line -> line.contains("event=store_up"))
                    .singleElement()
                    .satisfies(line -> assertThat(Duration.parse(line.replaceFirst(".*down_for=(\\S+).*", "$1")))
                            .isBetween(Duration.ofSeconds(2), lasted));
            assertThat(lines).noneMatch(line -> line.startsWith("\tat "));
            report("banner after %s, slowest of 20 answers while down %s, outage of %s%n%s%n"
                    .formatted(
                            untilSeen,
                            slowest,
                            lasted,
                            String.join("\n", lines.subList(Math.min(lines.size(), 5), lines.size()))));
            // Far less than a claim is patient: nobody has waited for the store.
            assertThat(slowest).isLessThan(Duration.ofMillis(1500));
        } finally {
            over.set(true);
            load.shutdownNow();
            database.close();
        }
    }

    private EmbeddedPostgres startDatabase() throws IOException {
        return TestPostgres.durable(EmbeddedPostgres.builder())
                .setPort(databasePort)
                .setDataDirectory(directory.resolve("data"))
                .setCleanDataDirectory(false)
                .start();
    }

    private Duration slowestOf(int calls, GatewayProcess gateway) {
        Duration slowest = Duration.ZERO;
        for (int i = 0; i < calls; i++) {
            long sent = System.nanoTime();
            HttpResponse<String> answer = charge(gateway);
            Duration took = Duration.ofNanos(System.nanoTime() - sent);
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("urn:semel:problem:store-unavailable");
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            slowest = took.compareTo(slowest) > 0 ? took : slowest;
        }
        return slowest;
    }

    private HttpResponse<String> charge(GatewayProcess gateway) {
        return send(HttpRequest.newBuilder(gateway.uri("/charges"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "order-" + requests.incrementAndGet())
                .POST(BodyPublishers.ofString("{\"amount\":1}")));
    }

    private HttpResponse<String> admin(GatewayProcess gateway, String path) {
        return send(HttpRequest.newBuilder(gateway.adminUri(path))
                .header("Authorization", "Bearer " + GatewayProcess.ADMIN_TOKEN));
    }

    private long failures(GatewayProcess gateway, String reason) {
        return new JsonObject(admin(gateway, "/api/overview").body())
                .getJsonObject("counters")
                .getLong(reason);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void report(String text) throws IOException {
        Path report = Path.of("target/outage.txt");
        Files.createDirectories(report.getParent());
        Files.writeString(report, text);
        System.out.print(text);
    }
}
