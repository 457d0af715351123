package dev.semel.gateway.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import dev.semel.gateway.stats.Counters.Count;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.StoreCall;
import dev.semel.testservers.TestPorts;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** What a node says of its own health, and what it counts while something is down. */
class HealthTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private final UpstreamHealth upstream =
            new UpstreamHealth("http://127.0.0.1:9000", Clock.fixed(NOON, ZoneOffset.UTC));

    @Test
    void aStoreThatDoesNotAnswerIsReportedAndCountedUntilItAnswers() {
        FaultyStore faulty = FaultyStore.around(InMemoryKeyStore.create());
        try (TestUpstream service = new TestUpstream();
                TestGateway gateway = TestGateway.start(faulty.store(), service.url())) {
            assertThat(health(gateway).getString("status")).isEqualTo("ok");
            for (StoreCall call : StoreCall.values()) {
                faulty.every(call, Fault.FAILS_BEFORE);
            }
            assertThat(gateway.post("/charges", "k1", "{}").statusCode()).isEqualTo(503);

            await().until(() -> health(gateway).getString("status").equals("failing"));
            JsonObject problem = health(gateway).getJsonArray("problems").getJsonObject(0);
            assertThat(problem.getString("part")).isEqualTo("store");
            assertThat(Instant.parse(problem.getString("since"))).isBefore(Instant.now());
            assertThat(problem.getString("meaning")).contains("503");
            assertThat(gateway.admin("/ready").statusCode()).isEqualTo(503);
            assertThat(gateway.post("/charges", "k2", "{}").body()).contains("store-unavailable");
            assertThat(gateway.get("/charges").statusCode()).isNotEqualTo(503);
            assertThat(metric(gateway, "semel_gateway_failures_total{reason=\"store_unavailable\"} 2.0"))
                    .isTrue();
            assertThat(metric(gateway, "idempotency_store_up{store=\"sqlite\"} 0.0"))
                    .isTrue();

            faulty.heal();

            await().until(() -> gateway.admin("/ready").statusCode() == 200);
            assertThat(health(gateway).getJsonArray("problems")).isEmpty();
            assertThat(gateway.post("/charges", "k3", "{}").statusCode()).isEqualTo(201);
            assertThat(service.effects("k1") + service.effects("k2")).isZero();
        }
    }

    @Test
    void anUnreachableUpstreamIsReportedAfterThreeRequests() throws Exception {
        try (TestGateway gateway = TestGateway.start("http://127.0.0.1:" + TestPorts.free())) {
            for (int i = 0; i < 3; i++) {
                assertThat(health(gateway).getString("status")).isEqualTo("ok");
                assertThat(gateway.post("/charges", "k" + i, "{}").statusCode()).isEqualTo(502);
            }

            JsonObject problem = health(gateway).getJsonArray("problems").getJsonObject(0);
            assertThat(problem.getString("part")).isEqualTo("upstream");
            assertThat(problem.getString("cause")).isEqualTo("upstream unreachable, 3 requests in a row");
            assertThat(gateway.admin("/ready").statusCode()).isEqualTo(200);
            assertThat(metric(gateway, "semel_gateway_failures_total{reason=\"upstream_unreachable\"} 3.0"))
                    .isTrue();
            assertThat(metric(gateway, "semel_gateway_upstream_up 0.0")).isTrue();
        }
    }

    @Test
    void anAnswerEndsAnOutageOfTheUpstream() {
        upstream.failed(Count.UPSTREAM_SILENT);
        upstream.failed(Count.UPSTREAM_SILENT);
        upstream.answered();
        upstream.failed(Count.UPSTREAM_SILENT);
        upstream.failed(Count.UPSTREAM_SILENT);
        assertThat(upstream.outage()).isNull();

        upstream.failed(Count.UPSTREAM_UNREACHABLE);
        assertThat(upstream.outage()).isEqualTo(new UpstreamHealth.Outage(NOON, 3, Count.UPSTREAM_UNREACHABLE));

        upstream.answered();
        assertThat(upstream.outage()).isNull();
    }

    @Test
    void aStoppedGatewayIsReportedByTheOthersUntilItIsBack() throws Exception {
        String address = "127.0.0.1:" + TestPorts.free();
        try (TestUpstream service = new TestUpstream();
                TestGateway watching = TestGateway.start(service.url(), "peer", "http://" + address)) {
            try (TestGateway watched = TestGateway.start(service.url(), "admin", address)) {
                awaitHealth(watching, "ok");
                assertThat(watched.admin("/ready").statusCode()).isEqualTo(200);
            }

            awaitHealth(watching, "failing");
            JsonObject problem = health(watching).getJsonArray("problems").getJsonObject(0);
            assertThat(problem.getString("part")).isEqualTo("peer");
            assertThat(problem.getString("what")).startsWith("The gateway http://" + address);
            assertThat(Instant.parse(problem.getString("since"))).isBefore(Instant.now());
            assertThat(problem.getString("meaning")).contains("if the load balancer checks /ready");
            assertThat(watching.admin("/ready").statusCode()).isEqualTo(200);
            assertThat(watching.post("/charges", "k", "{}").statusCode()).isEqualTo(201);

            try (TestGateway restarted = TestGateway.start(service.url(), "admin", address)) {
                awaitHealth(watching, "ok");
                assertThat(restarted.admin("/ready").statusCode()).isEqualTo(200);
            }
        }
    }

    private static void awaitHealth(TestGateway gateway, String status) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> health(gateway).getString("status").equals(status));
    }

    @Test
    void timesRequestsByRouteAndStatus() {
        try (TestUpstream service = new TestUpstream();
                TestGateway gateway = TestGateway.start(service.url())) {
            gateway.post("/charges", "k", "{}");
            gateway.post("/charges", "k", "{\"other\":1}");

            String metrics = gateway.admin("/metrics").body();
            assertThat(metrics)
                    .contains("semel_gateway_request_seconds_count{route=\"/**\",status=\"2xx\"} 1")
                    .contains("semel_gateway_request_seconds_count{route=\"/**\",status=\"4xx\"} 1")
                    .contains(
                            "semel_build_info{java=\"" + System.getProperty("java.version") + "\",version=\"test\"} 1")
                    .contains("jvm_memory_used_bytes{", "process_cpu_usage", "process_uptime_seconds")
                    .contains("semel_gateway_unknown{operation=\"default\"} 0.0");
        }
    }

    private static JsonObject health(TestGateway gateway) {
        return new JsonObject(gateway.admin("/api/health").body());
    }

    private static boolean metric(TestGateway gateway, String line) {
        return gateway.admin("/metrics").body().lines().anyMatch(line::equals);
    }
}
