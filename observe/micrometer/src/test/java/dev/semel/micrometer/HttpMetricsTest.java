package dev.semel.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.HttpEvent;
import dev.semel.http.shadow.ShadowFinding;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HttpMetricsTest {

    private static final String LAST =
            "idempotency_unprotected_last_seconds{operation=\"charge\",outcome=\"no_key\",store=\"memory\"} ";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final HttpMetrics metrics = new HttpMetrics(SemelMetrics.in(registry, "memory"));

    @Test
    void countsRequestsWithoutAKeyAndRemembersTheLast() {
        Instant before = Instant.now().minus(Duration.ofMillis(1));

        metrics.on(new HttpEvent.Unprotected("charge"));
        metrics.on(new HttpEvent.Unprotected("charge"));

        assertThat(withoutKey("charge")).isEqualTo(2);
        assertThat(registry.get("idempotency.unprotected")
                        .tag("outcome", "store_down")
                        .counter()
                        .count())
                .isZero();
        assertThat(Instant.ofEpochMilli((long) last("charge"))).isBetween(before, Instant.now());
    }

    @Test
    void anOperationWhoseRequestsAllHaveKeysHasNoLastOne() {
        metrics.on(new HttpEvent.Unprotected("charge"));
        metrics.on(new HttpEvent.Shadowed("refund", ShadowFinding.EXECUTED_TWICE));

        assertThat(withoutKey("refund")).isZero();
        assertThat(last("refund")).isZero();
    }

    @Test
    void prometheusReadsTheLastOneInSeconds() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        HttpMetrics scraped =
                new HttpMetrics(SemelMetrics.in(prometheus, "memory").operation("charge"));
        assertThat(prometheus.scrape())
                .as("a node that has just started does not know what came before")
                .contains(LAST + "0.0");

        scraped.on(new HttpEvent.Unprotected("charge"));

        String line = prometheus
                .scrape()
                .lines()
                .filter(each -> each.startsWith(LAST))
                .findFirst()
                .orElseThrow();
        assertThat(Double.parseDouble(line.substring(LAST.length())))
                .isBetween(Instant.now().getEpochSecond() - 60.0, Instant.now().getEpochSecond() + 1.0);
    }

    @Test
    void countsWhatShadowModeFinds() {
        metrics.on(new HttpEvent.Shadowed("charge", ShadowFinding.KEY_REUSED));

        assertThat(registry.get("idempotency.shadow")
                        .tag("operation", "charge")
                        .tag("outcome", "key_reused")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    private double withoutKey(String operation) {
        return registry.get("idempotency.unprotected")
                .tag("operation", operation)
                .tag("outcome", "no_key")
                .counter()
                .count();
    }

    /** In milliseconds since 1970. */
    private double last(String operation) {
        return registry.get("idempotency.unprotected.last")
                .tag("operation", operation)
                .tag("outcome", "no_key")
                .timeGauge()
                .value(TimeUnit.MILLISECONDS);
    }
}
