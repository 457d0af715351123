package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.cli.CommandLines;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.StoreCall;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A gateway in shadow mode answers as one that protects nothing, and the report tells what happened. */
class ShadowGatewayTest {

    private final TestUpstream upstream = new TestUpstream();
    private final TestUpstream plainUpstream = new TestUpstream();
    private final List<AutoCloseable> open = new ArrayList<>();

    @TempDir
    private Path directory;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        upstream.close();
        plainUpstream.close();
    }

    @Test
    void noResponseDiffersFromThatOfAGatewayThatProtectsNothing() {
        assertNoResponseDiffers(FaultyStore.around(InMemoryKeyStore.create()));
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void noResponseDiffersWhateverTheStoreDoes(Fault fault) {
        FaultyStore store = FaultyStore.around(InMemoryKeyStore.create());
        store.every(StoreCall.CLAIM, fault);

        assertNoResponseDiffers(store);
    }

    private void assertNoResponseDiffers(FaultyStore store) {
        TestGateway plain = TestGateway.start(plainUpstream.url(), "protect", "false");
        open.add(plain);
        TestGateway shadow = TestGateway.start(store.store(), upstream.url(), "shadow", "true", "require-key", "true");
        open.add(shadow);
        for (String path :
                List.of("/charges", "/status/402", "/status/500", "/break", "/big?bytes=300000", "/upload")) {
            for (String key : List.of("k1", "k1", "k2", "", "\"not closed", "x".repeat(400))) {
                for (String body : List.of("{\"cents\":1}", "{\"cents\":2}", "not json", "ä".repeat(200_000))) {
                    HttpResponse<String> expected = plain.send(request(plain, path, key, body));
                    HttpResponse<String> actual = shadow.send(request(shadow, path, key, body));

                    assertThat(actual.statusCode()).as("%s %s", path, key).isEqualTo(expected.statusCode());
                    assertThat(headers(actual)).as("%s %s", path, key).isEqualTo(headers(expected));
                    assertThat(actual.body()).as("%s %s", path, key).isEqualTo(expected.body());
                }
            }
        }
        assertThat(upstream.allEffects()).isEqualTo(plainUpstream.allEffects());
    }

    private static HttpRequest.Builder request(TestGateway gateway, String path, String key, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(gateway.uri(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        return key.isEmpty() ? request : request.header("Idempotency-Key", key);
    }

    private static Map<String, List<String>> headers(HttpResponse<?> response) {
        Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
        headers.remove("date");
        return headers;
    }

    @Test
    void theReportOfTheCommandLineNamesBothKindsOfClients() throws Exception {
        String store = "sqlite:" + directory.resolve("semel.db");
        try (StoreUrls.OpenStore opened = StoreUrls.open(store);
                TestGateway gateway = TestGateway.start(
                        opened.keys(), upstream.url(), "shadow", "true", "scope", "header:X-User", "timeout", "1s")) {
            gateway.post("/charges", "same", "{\"cents\":1}", "X-User", "alice");
            gateway.post("/charges", "same", "{\"cents\":1}", "X-User", "alice");
            gateway.post("/charges", "n1", "{\"cents\":1}", "X-User", "bob");
            gateway.post("/charges", "n2", "{\"cents\":1}", "X-User", "bob");
            gateway.send(request(gateway, "/charges", "", "{\"cents\":3}").header("X-User", "carol"));
            gateway.post("/break", "b", "{\"cents\":4}", "X-User", "dave");
            gateway.post("/hold", "h", "{\"cents\":5}", "X-User", "dave");
            gateway.post("/status/504", "s", "{\"cents\":6}", "X-User", "dave");
            await().until(() -> gateway.admin("/metrics")
                    .body()
                    .contains("idempotency_shadow_total{operation=\"default\",outcome=\"key_missing\""));
        }

        assertThat(upstream.effects("same")).isEqualTo(2);
        assertThat(CommandLines.run("shadow", "report", "--store", store))
                .contains("In 7 days you executed 2 operations twice, out of 8 requests, for these callers:")
                .containsPattern("default +alice +1 +1 +0 +0 +0")
                .containsPattern("default +bob +1 +0 +1 +0 +0")
                .containsPattern("default +carol +0 +0 +0 +0 +1")
                .containsPattern("default +dave +0 +0 +0 +2 +0")
                .contains("The outcome of 2 operations is unknown")
                .containsPattern("default +8 +1 +\\S+ +no");
        JsonObject json = new JsonObject(CommandLines.run("shadow", "report", "--store", store, "--json"));
        assertThat(json.getInteger("executedTwice")).isEqualTo(2);
        assertThat(new JsonObject(CommandLines.run(
                                "shadow", "report", "--store", store, "--json", "--namespace", "v1:other"))
                        .getInteger("requests"))
                .isZero();
    }
}
