package dev.semel.gateway.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import dev.semel.observe.Tracing;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the admin address tells of requests and of clients. */
class MetricsTest {

    private TestUpstream upstream;

    @BeforeEach
    void startUpstream() {
        upstream = new TestUpstream();
    }

    @AfterEach
    void stopUpstream() {
        upstream.close();
    }

    @Test
    void showsMetricsToPrometheus() {
        try (TestGateway gateway = TestGateway.start(upstream.url())) {
            gateway.post("/charges", "k1", "{\"amount\":1}");
            gateway.post("/charges", "k1", "{\"amount\":1}");
            gateway.post("/charges", "k1", "{\"amount\":2}");

            HttpResponse<String> answer = gateway.admin("/metrics");

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
            assertThat(answer.body())
                    .contains(
                            "idempotency_miss_total{operation=\"default\",store=\"sqlite\"} 1.0",
                            "idempotency_hit_total{operation=\"default\",outcome=\"succeeded\",store=\"sqlite\"} 1.0",
                            "idempotency_mismatch_total{operation=\"default\",store=\"sqlite\"} 1.0",
                            "semel_gateway_requests_total 3.0")
                    .doesNotContain("k1", "single");
            await().until(
                            () -> gateway.admin("/metrics").body(),
                            text -> text.contains("idempotency_store_rows{store=\"sqlite\"} "));
        }
    }

    @Test
    void metricsNeedTheTokenWhereThereIsOne() {
        try (TestGateway gateway = TestGateway.start(upstream.url(), "admin-token", "sesame")) {
            assertThat(gateway.admin("/metrics").statusCode()).isEqualTo(401);
            assertThat(gateway.admin("/api/clients").statusCode()).isEqualTo(401);
            HttpRequest.Builder authorised =
                    HttpRequest.newBuilder(gateway.adminUri("/metrics")).header("Authorization", "Bearer sesame");
            assertThat(gateway.send(authorised).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void saysWhichClientsMisbehaveAndHow() {
        try (TestGateway gateway = TestGateway.start(upstream.url(), "scope", "header:X-User")) {
            for (String key : new String[] {"a", "b", "c"}) {
                gateway.post("/charges", key, "{\"amount\":1}", "X-User", "shop");
            }
            gateway.post("/charges", "a", "{\"amount\":9}", "X-User", "shop");
            gateway.post("/charges", "d", "{\"amount\":1}", "X-User", "bank");

            JsonObject answer = new JsonObject(gateway.admin("/api/clients").body());

            assertThat(answer.getInteger("all")).isEqualTo(1);
            JsonObject client = answer.getJsonArray("clients").getJsonObject(0);
            assertThat(client.getString("scope")).isEqualTo("shop");
            assertThat(client.getLong("freshKeys")).isEqualTo(2);
            assertThat(client.getLong("keysReused")).isEqualTo(1);
            assertThat(client.getLong("retriesTooEarly")).isZero();
            assertThat(client.getJsonArray("latest").getJsonObject(0).getString("habit"))
                    .isEqualTo("key-reused");
            assertThat(gateway.admin("/metrics").body())
                    .contains("idempotency_fresh_key_retries_total{operation=\"default\",store=\"sqlite\"} 2.0");
        }
    }

    @Test
    void makesSpansForAnAgentAndKeepsTheirTraceWithTheKey() {
        InMemorySpanExporter spans = InMemorySpanExporter.create();
        GlobalOpenTelemetry.resetForTest();
        assertThat(AgentTracing.find()).isSameAs(Tracing.NONE);
        GlobalOpenTelemetry.resetForTest();
        try (OpenTelemetrySdk agent = OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(spans))
                        .build())
                .buildAndRegisterGlobal()) {
            assertThat(agent).isNotNull();
            try (TestGateway gateway = TestGateway.start(upstream.url())) {
                gateway.post("/charges", "k1", "{\"amount\":1}");
                gateway.post("/charges", "k1", "{\"amount\":1}");

                SpanData replay = await().until(
                                () -> spans.getFinishedSpanItems().stream()
                                        .filter(span -> span.getName().equals("replay default"))
                                        .findFirst()
                                        .orElse(null),
                                Objects::nonNull);
                SpanContext executed = replay.getLinks().get(0).getSpanContext();
                assertThat(gateway.admin("/api/keys").body())
                        .contains("\"traceId\":\"" + executed.getTraceId() + "-" + executed.getSpanId() + "\"");
            }
        } finally {
            GlobalOpenTelemetry.resetForTest();
        }
    }

    @Test
    void namesStoresByWhatTheyAre() {
        assertThat(StoreUrls.kind("memory:")).isEqualTo("memory");
        assertThat(StoreUrls.kind("sqlite:semel.db")).isEqualTo("sqlite");
        assertThat(StoreUrls.kind("jdbc:postgresql://db/orders")).isEqualTo("postgresql");
        assertThat(StoreUrls.kind("rediss-sentinel://a,b/0")).isEqualTo("rediss");
    }
}
