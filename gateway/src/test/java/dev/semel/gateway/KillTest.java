package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the gateway again and again under load, with SIGKILL and at no particular moment, while its policy is to hold:
 * before it forwards, while the upstream works, after the answer, before the settle. No key may have a second effect.
 * The system property {@code semel.kills} says how often, 4 times by default.
 */
class KillTest {

    private static final int KILLS = Integer.getInteger("semel.kills", 4);
    private static final int CLIENTS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, String> answered = new ConcurrentHashMap<>();
    private final Set<String> sent = ConcurrentHashMap.newKeySet();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    void leavesNoSecondEffectOnSqlite() throws Exception {
        killAndCheck("sqlite:" + directory.resolve("keys.db"));
    }

    @Test
    void leavesNoSecondEffectOnPostgres() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start()) {
            killAndCheck(postgres.getJdbcUrl("postgres", "postgres"));
        }
    }

    private void killAndCheck(String store) throws Exception {
        Random random = new Random(42);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (TestUpstream upstream = new TestUpstream();
                GatewayProcess gateway =
                        new GatewayProcess(directory, "256m", upstream.url(), store, "--lease", "500ms").start()) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.execute(() -> keepPosting(gateway));
            }
            for (int i = 0; i < KILLS; i++) {
                int enough = answered.size() + 1 + random.nextInt(60);
                await().atMost(PATIENCE)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> answered.size() >= enough);
                gateway.kill();
                gateway.start();
            }
            over.set(true);
            clients.shutdown();
            assertThat(clients.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            check(upstream, gateway);
        } finally {
            over.set(true);
            clients.shutdownNow();
        }
    }

    /** One client after another: a new key, sent again after every failure, until there is an answer to keep. */
    private void keepPosting(GatewayProcess gateway) {
        while (!over.get()) {
            String key = "key-" + next.incrementAndGet();
            sent.add(key);
            while (!over.get()) {
                HttpResponse<String> response = tryPost(gateway, key);
                if (response != null && response.statusCode() == 201) {
                    answered.put(key, response.body());
                    break;
                }
                if (response != null && response.body().contains("outcome-unknown")) {
                    break;
                }
                LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            }
        }
    }

    private HttpResponse<String> tryPost(GatewayProcess gateway, String key) {
        try {
            return http.send(
                    HttpRequest.newBuilder(gateway.uri("/charges"))
                            .timeout(Duration.ofSeconds(10))
                            .header("Idempotency-Key", key)
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString("{\"amount\":1}"))
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException e) {
            // Killed in the middle of it: to be sent again.
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            over.set(true);
            return null;
        }
    }

    private void check(TestUpstream upstream, GatewayProcess gateway) throws Exception {
        assertThat(answered).hasSizeGreaterThan(KILLS);
        for (String key : sent) {
            assertThat(upstream.effects(key)).as("effects of " + key).isLessThanOrEqualTo(1);
        }
        Set<String> unknown = new HashSet<>();
        for (String key : sent) {
            HttpResponse<String> again = await().atMost(PATIENCE)
                    .until(
                            () -> tryPost(gateway, key),
                            each -> each != null && !each.body().contains("in-flight"));
            if (answered.containsKey(key)) {
                assertThat(again.body()).as("replay of " + key).isEqualTo(answered.get(key));
                assertThat(again.headers().firstValue("X-Idempotency-Replayed")).hasValue("true");
            } else if (again.body().contains("outcome-unknown")) {
                unknown.add(key);
            }
            if (again.statusCode() == 201) {
                assertThat(upstream.effects(key)).as("effects of " + key).isEqualTo(1);
            }
            assertThat(upstream.effects(key)).as("effects of " + key).isLessThanOrEqualTo(1);
        }
        assertThat(listed(gateway, "unknown", "lapsed")).containsAll(unknown);
    }

    private Set<String> listed(GatewayProcess gateway, String... states) throws Exception {
        Set<String> keys = new HashSet<>();
        for (String state : states) {
            String cursor = "";
            while (cursor != null) {
                URI page = gateway.adminUri("/api/keys?limit=200&state=" + state + "&cursor=" + cursor);
                JsonObject json =
                        new JsonObject(http.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString())
                                .body());
                JsonArray found = json.getJsonArray("keys");
                for (int i = 0; i < found.size(); i++) {
                    keys.add(found.getJsonObject(i).getString("key"));
                }
                cursor = json.getString("next");
            }
        }
        return keys;
    }
}
