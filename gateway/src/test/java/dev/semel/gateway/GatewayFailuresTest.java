package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.memory.InMemoryKeyStore;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.StoreCall;
import dev.semel.testkit.failures.FailureContract;
import dev.semel.testkit.failures.FrontEnd;
import dev.semel.testkit.failures.Meaning;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What each failure around the gateway means to the key, as its retry finds out. */
class GatewayFailuresTest extends FailureContract {

    private static final String KEY = "k";
    private static final String BODY = "{\"amount\":1}";

    @Override
    protected FrontEnd frontEnd() {
        return FrontEnd.GATEWAY;
    }

    @Override
    protected Map<String, Scenario> scenarios() {
        Map<String, Scenario> scenarios = new HashMap<>();
        scenarios.put("returns", () -> posted("/charges", 201));
        scenarios.put("server-error", () -> posted("/status/500", 500));
        scenarios.put(
                "denied-after",
                () -> same(posted("/status/401", 401), posted("/status/403", 403), posted("/status/429", 429)));
        scenarios.put("refused-before", this::refusedBefore);
        scenarios.put("denied-before", this::deniedBefore);
        scenarios.put("disconnect", this::disconnect);
        scenarios.put("cancelled", this::cancelled);
        scenarios.put("store-down-at-claim", this::storeDownAtClaim);
        scenarios.put("store-down-at-settle", this::storeDownAtSettle);
        scenarios.put("mismatch", this::mismatch);
        scenarios.put("upstream-refused", this::upstreamRefused);
        scenarios.put("upstream-silent", () -> posted("/never", 504));
        scenarios.put("upstream-broken", () -> same(posted("/break", 502), posted("/break-midway", 502)));
        return scenarios;
    }

    /** A store, a service, and a gateway between them. */
    private static final class Bench implements AutoCloseable {

        final FaultyStore store = FaultyStore.around(InMemoryKeyStore.create());
        final TestUpstream upstream = new TestUpstream();
        TestGateway gateway;

        Bench(String... options) {
            gateway = TestGateway.start(store.store(), upstream.url(), options);
        }

        HttpResponse<String> post(String path) {
            return gateway.post(path, KEY, BODY);
        }

        int effects() {
            return upstream.effects(KEY);
        }

        /** What a retry is told, and what it does. */
        Meaning retried(Supplier<HttpResponse<String>> retrying) {
            int effectsBefore = effects();
            HttpResponse<String> retry = retrying.get();
            if (retry.headers().firstValue("Idempotent-Replayed").isPresent()) {
                assertThat(effects()).isEqualTo(effectsBefore).isEqualTo(1);
                return Meaning.STORED;
            }
            if (retry.body().contains("urn:semel:problem:outcome-unknown")) {
                assertThat(effects()).isEqualTo(effectsBefore);
                return Meaning.CANNOT_TELL;
            }
            assertThat(retry.statusCode()).as(retry.body()).isEqualTo(201);
            assertThat(effectsBefore).isZero();
            assertThat(effects()).isEqualTo(1);
            return store.count(StoreCall.RELEASE) > 0 ? Meaning.RELEASED : Meaning.NOTHING_RAN;
        }

        @Override
        public void close() {
            gateway.close();
            upstream.close();
        }
    }

    private static Meaning same(Meaning first, Meaning... others) {
        assertThat(others).containsOnly(first);
        return first;
    }

    private static Meaning posted(String path, int status) {
        try (Bench bench = new Bench("timeout", "1s")) {
            assertThat(bench.post(path).statusCode()).isEqualTo(status);
            return bench.retried(() -> bench.post(path));
        }
    }

    private Meaning refusedBefore() throws IOException {
        try (Bench bench = new Bench()) {
            assertThat(RawHttp.exchange(
                            bench.gateway.gateway.port(),
                            RawHttp.request("POST", "/x/..;/charges", "Idempotency-Key: " + KEY)))
                    .startsWith("HTTP/1.1 400 ");
            return bench.retried(() -> bench.post("/charges"));
        }
    }

    private Meaning deniedBefore() {
        try (Bench bench = new Bench("scope", "header:X-User")) {
            assertThat(bench.post("/charges").statusCode()).isEqualTo(403);
            return bench.retried(() -> bench.gateway.post("/charges", KEY, BODY, "X-User", "alice"));
        }
    }

    private Meaning disconnect() throws IOException {
        try (Bench bench = new Bench()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), bench.gateway.gateway.port())) {
                socket.getOutputStream()
                        .write(("POST /hold HTTP/1.1\r\nHost: shop.example\r\nIdempotency-Key: " + KEY
                                        + "\r\nContent-Type: application/json\r\nContent-Length: " + BODY.length()
                                        + "\r\n\r\n" + BODY)
                                .getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().flush();
                await().until(() -> bench.upstream.waiting() == 1);
            }
            return goesOn(bench);
        }
    }

    private Meaning cancelled() {
        try (Bench bench = new Bench()) {
            bench.gateway.postAsync("/hold", KEY, BODY);
            await().until(() -> bench.upstream.waiting() == 1);
            CompletableFuture<Void> stopping = CompletableFuture.runAsync(bench.gateway::close);
            bench.upstream.releaseAll();
            stopping.join();
            bench.gateway = TestGateway.start(bench.store.store(), bench.upstream.url());
            return goesOn(bench);
        }
    }

    /** Lets what was held end, and sees that its own outcome is the one that is stored. */
    private static Meaning goesOn(Bench bench) {
        bench.upstream.releaseAll();
        HttpResponse<String> retry = await().until(() -> bench.post("/hold"), response -> response.statusCode() != 409);
        assertThat(retry.statusCode()).isEqualTo(201);
        assertThat(bench.retried(() -> retry)).isEqualTo(Meaning.STORED);
        return Meaning.GOES_ON;
    }

    private Meaning storeDownAtClaim() {
        try (Bench bench = new Bench()) {
            bench.store.every(StoreCall.CLAIM, Fault.FAILS_BEFORE);
            assertThat(bench.post("/charges").statusCode()).isEqualTo(503);
            assertThat(bench.effects()).isZero();
            bench.store.heal();
            // For a moment the engine may hold the key itself, to take back a claim whose answer may have been lost.
            HttpResponse<String> retry =
                    await().until(() -> bench.post("/charges"), response -> response.statusCode() != 409);
            assertThat(retry.statusCode()).isEqualTo(201);
            assertThat(bench.effects()).isEqualTo(1);
            return Meaning.NOTHING_RAN;
        }
    }

    private Meaning storeDownAtSettle() {
        try (Bench bench = new Bench()) {
            bench.store.next(StoreCall.SETTLE, Fault.FAILS_BEFORE);
            bench.store.next(StoreCall.SETTLE, Fault.FAILS_AFTER);
            assertThat(bench.post("/charges").statusCode()).isEqualTo(201);
            return bench.retried(() -> bench.post("/charges"));
        }
    }

    private Meaning mismatch() {
        try (Bench bench = new Bench()) {
            bench.post("/charges");
            assertThat(bench.gateway.post("/charges", KEY, "{\"amount\":2}").statusCode())
                    .isEqualTo(422);
            assertThat(bench.retried(() -> bench.post("/charges")))
                    .as("the key is as it was before")
                    .isEqualTo(Meaning.STORED);
            return Meaning.NOTHING_RAN;
        }
    }

    private Meaning upstreamRefused() throws IOException {
        try (Bench bench = new Bench()) {
            bench.gateway.close();
            String nobody;
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                nobody = "http://127.0.0.1:" + free.getLocalPort();
            }
            try (TestGateway unreachable = TestGateway.start(bench.store.store(), nobody)) {
                HttpResponse<String> refused = unreachable.post("/charges", KEY, BODY);
                assertThat(refused.statusCode()).isEqualTo(502);
                assertThat(refused.body()).contains("\"outcome\":\"not-applied\"");
            }
            bench.gateway = TestGateway.start(bench.store.store(), bench.upstream.url());
            return bench.retried(() -> bench.post("/charges"));
        }
    }
}
