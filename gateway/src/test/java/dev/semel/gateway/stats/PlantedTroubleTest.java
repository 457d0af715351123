package dev.semel.gateway.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Purging;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway under load, watched by a real Prometheus with the rules that are shipped, only that everything happens 150
 * times as fast. First all is well; then three things go wrong at once, and the alerts say which.
 *
 * <p>{@code -Dsemel.look=SECONDS} keeps it all running for that long in the end, for people to look at;
 * {@code target/look.txt} says where.
 */
class PlantedTroubleTest {

    private static final int FASTER = 150;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Set<String> PLANTED = Set.of(
            // An owner that hangs, a client that makes a new key for each retry, and nobody who purges.
            "SemelPendingAge", "SemelFreshKeyRetries", "SemelPurgeLag", "SemelTableAboveProjection");

    @TempDir
    Path directory;

    @Test
    void isFoundFromTheAlertsAndTheDashboardAlone() throws Exception {
        Prometheus.command("prometheus");
        ScheduledExecutorService purge = Executors.newSingleThreadScheduledExecutor();
        try (StoreUrls.OpenStore store = StoreUrls.open("sqlite:" + directory.resolve("semel.db"));
                TestUpstream upstream = new TestUpstream();
                TestGateway gateway = TestGateway.start(
                        new StoreWithoutPurge(store.keys()),
                        upstream.url(),
                        "scope",
                        "header:X-User",
                        "lease",
                        "6s",
                        "retention",
                        "6s",
                        "timeout",
                        "10m",
                        "drain",
                        "0s");
                Clients clients = new Clients(gateway);
                Prometheus prometheus = Prometheus.start(
                        directory,
                        ObservabilityFiles.rulesFasterBy(FASTER),
                        new Prometheus.Target("semel", gateway.gateway.adminPort(), gateway.adminToken()))) {
            purge.scheduleWithFixedDelay(
                    () -> KeyStore.capability(store.keys(), Purging.class)
                            .orElseThrow()
                            .purge(1_000),
                    0,
                    200,
                    TimeUnit.MILLISECONDS);
            clients.well(100);
            await().atMost(PATIENCE).until(prometheus::isReady);
            await().atMost(PATIENCE).until(() -> prometheus.series("semel:dedup_ratio:rate5m > 0.02 < 0.1", 2) == 1);
            await().atMost(PATIENCE).until(() -> prometheus.firing().isEmpty());

            purge.shutdownNow();
            clients.badly(20);
            clients.once("/hold", "stuck");
            Map<String, Duration> seen = new LinkedHashMap<>();
            long planted = System.nanoTime();
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(250)).until(() -> {
                Duration now = Duration.ofNanos(System.nanoTime() - planted);
                prometheus.firing().forEach(name -> seen.putIfAbsent(name, now));
                return seen.keySet().containsAll(PLANTED);
            });

            report(seen);
            assertThat(seen.keySet()).containsExactlyInAnyOrderElementsOf(PLANTED);
            assertThat(new JsonObject(gateway.admin("/api/clients").body())
                            .getJsonArray("clients").stream().map(client -> ((JsonObject) client).getString("scope")))
                    .containsExactly("hasty");
            for (Map.Entry<String, String> query :
                    ObservabilityFiles.queries("3s").entrySet()) {
                assertThat(prometheus.series(query.getValue(), 20))
                        .as(query.getKey())
                        .isPositive();
            }
            letPeopleLook(prometheus, gateway);
            upstream.releaseAll();
        } finally {
            purge.shutdownNow();
        }
    }

    /** In what order a person sees it, in the time of the test and in that of the rules. */
    private static void report(Map<String, Duration> seen) throws Exception {
        StringBuilder lines = new StringBuilder();
        seen.forEach((alert, after) -> lines.append(String.format(
                "%-28s %5.1f s after it began, which stands for %d min%n",
                alert, after.toMillis() / 1e3, after.multipliedBy(FASTER).toMinutes())));
        Path report = Path.of("target/planted-trouble.txt");
        Files.createDirectories(report.getParent());
        Files.writeString(report, lines);
        System.out.print(lines);
    }

    private static void letPeopleLook(Prometheus prometheus, TestGateway gateway) throws Exception {
        int seconds = Integer.getInteger("semel.look", 0);
        if (seconds > 0) {
            Files.writeString(
                    Path.of("target/look.txt"),
                    "Prometheus: " + prometheus.url() + ", console: "
                            + gateway.adminUri("/#token=" + gateway.adminToken()) + ", gateway: " + gateway.uri("/")
                            + "\n");
            await().pollDelay(Duration.ofSeconds(seconds))
                    .atMost(Duration.ofSeconds(seconds + 10L))
                    .until(() -> true);
        }
    }
}
