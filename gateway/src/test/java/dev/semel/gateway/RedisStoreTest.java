package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testservers.TestRedis;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateway as a process, with {@code --store redis://…}. */
class RedisStoreTest {

    private static final String REPLAYED = "Idempotent-Replayed";

    @TempDir
    Path directory;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private TestRedis redis;
    private String url;

    @BeforeEach
    void startRedis() throws Exception {
        redis = TestRedis.start();
        url = redis.url();
    }

    @AfterEach
    void stopRedis() throws Exception {
        redis.close();
    }

    @Test
    void keepsItsKeysWhenItIsKilledAndSharesThemWithOthers() throws Exception {
        try (TestUpstream upstream = new TestUpstream();
                GatewayProcess one =
                        gateway(upstream, url + "?createIfMissing=true").start();
                GatewayProcess other = gateway(upstream, url)) {
            HttpResponse<String> first = post(one, "order-1");
            assertThat(first.statusCode()).isEqualTo(201);
            assertThat(first.headers().firstValue(REPLAYED)).isEmpty();

            one.shoot();
            other.start();

            HttpResponse<String> replay = post(other, "order-1");
            assertThat(replay.statusCode()).isEqualTo(201);
            assertThat(replay.body()).isEqualTo(first.body());
            assertThat(replay.headers().firstValue(REPLAYED)).hasValue("true");
            assertThat(upstream.effects("order-1")).isEqualTo(1);
            assertThat(get(other, "/api/keys?state=succeeded")).contains("order-1");
        }
    }

    @Test
    void refusesRequestsWhileRedisIsAway() throws Exception {
        try (TestUpstream upstream = new TestUpstream();
                GatewayProcess gateway =
                        gateway(upstream, url + "?createIfMissing=true").start()) {
            assertThat(post(gateway, "order-2").statusCode()).isEqualTo(201);

            redis.close();

            await().untilAsserted(() -> {
                HttpResponse<String> refused = post(gateway, "order-3");
                assertThat(refused.statusCode()).isEqualTo(503);
                assertThat(refused.body()).contains("store-unavailable");
            });
            assertThat(upstream.effects("order-3")).isZero();
        }
    }

    private GatewayProcess gateway(TestUpstream upstream, String store) {
        return new GatewayProcess(directory, "128m", upstream.url(), store);
    }

    private HttpResponse<String> post(GatewayProcess gateway, String key) throws Exception {
        return http.send(
                HttpRequest.newBuilder(gateway.uri("/charges"))
                        .header("Idempotency-Key", key)
                        .POST(BodyPublishers.ofString("{}"))
                        .build(),
                BodyHandlers.ofString());
    }

    private String get(GatewayProcess gateway, String path) throws Exception {
        return http.send(
                        HttpRequest.newBuilder(gateway.adminUri(path))
                                .header("Authorization", "Bearer " + GatewayProcess.ADMIN_TOKEN)
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }
}
