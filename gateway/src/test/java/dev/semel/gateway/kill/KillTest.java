package dev.semel.gateway.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.gateway.GatewayProcess;
import dev.semel.testservers.TestPostgres;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
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
 * Kills the gateway again and again under load, with SIGKILL and at every {@link KillMoment}, while its policy is to
 * hold. No key may have a second effect, what is settled replays byte for byte, and what is unknown is listed for people
 * to decide. The system property {@code semel.kills} says how often, 5 times by default; what the kills left behind is
 * written to {@code target/kills-STORE.txt}.
 */
class KillTest {

    private static final int KILLS = Integer.getInteger("semel.kills", 5);
    /** From so many kills on, every kind of trace that a kill can leave must have been seen. */
    private static final int MANY_KILLS = 100;

    private static final int CLIENTS = 16;
    private static final int LATE = 40;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, String> answered = new ConcurrentHashMap<>();
    private final Set<String> sent = ConcurrentHashMap.newKeySet();
    private final AtomicInteger replayedInTime = new AtomicInteger();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger countdown = new AtomicInteger();
    private volatile KillMoment armed;
    private GatewayProcess gateway;

    @Test
    void leavesNoSecondEffectOnSqlite() throws Exception {
        killAndCheck("sqlite", "sqlite:" + directory.resolve("keys.db"));
    }

    @Test
    void leavesNoSecondEffectOnPostgres() throws Exception {
        killAndCheck("postgres", TestPostgres.url(TestPostgres.newDatabase()));
    }

    private void killAndCheck(String name, String store) throws Exception {
        Random random = new Random(42);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (KillUpstream upstream = new KillUpstream(this::reached);
                GatewayProcess process =
                        new GatewayProcess(directory, "256m", upstream.url(), store, "--lease", "500ms").start()) {
            gateway = process;
            for (int i = 0; i < CLIENTS; i++) {
                clients.execute(this::keepPosting);
            }
            for (int i = 0; i < KILLS; i++) {
                countdown.set(1 + random.nextInt(LATE));
                armed = KillMoment.values()[i % KillMoment.values().length];
                await("kill when " + armed)
                        .atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> !process.isAlive());
                armed = null;
                process.start();
            }
            over.set(true);
            clients.shutdown();
            assertThat(clients.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            check(name, upstream);
        } finally {
            over.set(true);
            clients.shutdownNow();
        }
    }

    private void reached(KillMoment moment) {
        if (moment == armed && countdown.decrementAndGet() == 0) {
            gateway.shoot();
        }
    }

    /** One client after another: a new key, sent again after every failure, until there is an answer to keep. */
    private void keepPosting() {
        while (!over.get()) {
            String key = "key-" + next.incrementAndGet();
            sent.add(key);
            while (!over.get()) {
                reached(KillMoment.SENT);
                HttpResponse<String> response = tryPost(key);
                if (response != null && response.statusCode() == 201) {
                    answered.put(key, whole(response));
                    if (isReplay(response)) {
                        replayedInTime.incrementAndGet();
                    }
                    reached(KillMoment.REPLIED);
                    break;
                }
                if (response != null && response.body().contains("outcome-unknown")) {
                    break;
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }
    }

    private HttpResponse<String> tryPost(String key) {
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

    /** Everything of a response that a replay has to give back. */
    private static String whole(HttpResponse<String> response) {
        return response.statusCode() + " " + response.headers().allValues("Content-Type")
                + response.headers().allValues("Location") + " " + response.body();
    }

    private static boolean isReplay(HttpResponse<String> response) {
        return response.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    private void check(String name, KillUpstream upstream) throws Exception {
        assertThat(answered).hasSizeGreaterThan(KILLS);
        for (String key : sent) {
            assertThat(upstream.effects(key)).as("effects of " + key).isLessThanOrEqualTo(1);
        }
        await("every lease lapses")
                .atMost(PATIENCE)
                .until(() -> listed("pending").isEmpty());
        Set<String> listed = listed("unknown", "lapsed");
        Set<String> unknown = new HashSet<>();
        for (String key : sent) {
            HttpResponse<String> again = await().atMost(PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .until(
                            () -> tryPost(key),
                            each -> each != null && !each.body().contains("in-flight"));
            if (answered.containsKey(key)) {
                assertThat(whole(again)).as("replay of " + key).isEqualTo(answered.get(key));
                assertThat(isReplay(again)).as(key + " is replayed").isTrue();
            } else if (again.body().contains("outcome-unknown")) {
                unknown.add(key);
            }
            if (again.statusCode() == 201) {
                assertThat(upstream.effects(key)).as("effects of " + key).isEqualTo(1);
            }
            assertThat(upstream.effects(key)).as("effects of " + key).isLessThanOrEqualTo(1);
        }
        assertThat(listed).as("what the console lists as unknown").isEqualTo(unknown);
        report(name, upstream, unknown);
    }

    private void report(String name, KillUpstream upstream, Set<String> unknown) throws IOException {
        long notForwarded =
                unknown.stream().filter(key -> upstream.effects(key) == 0).count();
        long beforeSettle = unknown.stream().filter(upstream::hasAnswered).count();
        long whileWorking = unknown.size() - notForwarded - beforeSettle;
        int afterSettle = replayedInTime.get();
        Files.createDirectories(Path.of("target"));
        Files.writeString(Path.of("target", "kills-" + name + ".txt"), """
                %d kills, %d keys, %d answered, %d unknown, no second effect
                killed before forwarding: %d keys
                killed while the upstream worked: %d keys
                killed after its answer, before the settle: %d keys
                killed after the settle, before the client had it: %d keys
                """.formatted(
                        KILLS,
                        sent.size(),
                        answered.size(),
                        unknown.size(),
                        notForwarded,
                        whileWorking,
                        beforeSettle,
                        afterSettle));
        if (KILLS >= MANY_KILLS) {
            assertThat(notForwarded).as("killed before forwarding").isPositive();
            assertThat(whileWorking).as("killed while the upstream worked").isPositive();
            assertThat(beforeSettle).as("killed before the settle").isPositive();
            assertThat(afterSettle).as("killed after the settle").isPositive();
        }
    }

    private Set<String> listed(String... states) throws IOException, InterruptedException {
        Set<String> keys = new HashSet<>();
        for (String state : states) {
            String cursor = "";
            while (cursor != null) {
                URI page = gateway.adminUri("/api/keys?limit=200&state=" + state + "&cursor=" + cursor);
                JsonObject json = new JsonObject(http.send(
                                HttpRequest.newBuilder(page)
                                        .header("Authorization", "Bearer " + GatewayProcess.ADMIN_TOKEN)
                                        .build(),
                                BodyHandlers.ofString())
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
