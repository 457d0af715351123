package dev.semel.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.Duplicates;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.spi.Batching;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SemelMetricsTest {

    private static final ExternalPolicy CHARGE = Policy.external("charge").build();
    private static final Batching.Batches BATCHES =
            Batching.Batches.of(3, 10, 40).withLockWaits(2).withDeadlocks(1);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final SemelMetrics metrics = SemelMetrics.in(registry, "memory");
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryKeyStore store =
            InMemoryKeyStore.builder().clock(now::get).build();
    private final Semel semel = Semel.builder(store)
            .listener(metrics)
            .maintenanceInterval(Duration.ZERO)
            .build();

    @AfterEach
    void close() {
        semel.close();
    }

    @Test
    void countsMissesAndHitsAndTimesThem() {
        semel.operation(CHARGE, OutcomeCodec.text())
                .run(Key.of("scope", "k"), Fingerprint.of("body"), attempt -> "done");
        semel.operation(CHARGE, OutcomeCodec.text())
                .run(Key.of("scope", "k"), Fingerprint.of("body"), attempt -> "done");
        semel.operation(CHARGE, OutcomeCodec.text())
                .run(Key.of("scope", "k"), Fingerprint.of("body"), attempt -> "done");

        assertThat(count("idempotency.miss")).isEqualTo(1);
        assertThat(count("idempotency.hit")).isEqualTo(2);
        assertThat(registry.get("idempotency.hit")
                        .tag("outcome", "succeeded")
                        .counter()
                        .count())
                .isEqualTo(2);
        for (String timer : new String[] {"claim", "run", "settle"}) {
            assertThat(timed("idempotency." + timer)).as(timer).isEqualTo(1);
        }
        assertThat(timed("idempotency.wait")).isEqualTo(2);
    }

    @Test
    void countsWhyDuplicatesAreRefused() {
        ExternalPolicy waiting = CHARGE.toBuilder()
                .duplicates(Duplicates.waitFor(Duration.ofMillis(1)))
                .build();
        semel.operation(CHARGE, OutcomeCodec.text()).run(Key.of("scope", "k"), Fingerprint.of("body"), attempt -> {
            assertThat(semel.operation(CHARGE, OutcomeCodec.text())
                            .run(Key.of("scope", "k"), Fingerprint.of("body"), second -> "never"))
                    .isInstanceOf(Execution.InFlight.class);
            assertThat(semel.operation(waiting, OutcomeCodec.text())
                            .run(Key.of("scope", "k"), Fingerprint.of("body"), second -> "never"))
                    .isInstanceOf(Execution.InFlight.class);
            return "done";
        });
        semel.operation(CHARGE, OutcomeCodec.text())
                .run(Key.of("scope", "k"), Fingerprint.of("other"), attempt -> "never");

        assertThat(count("idempotency.in_flight")).isEqualTo(2);
        assertThat(count("idempotency.pending_timeout")).isEqualTo(1);
        assertThat(count("idempotency.mismatch")).isEqualTo(1);
    }

    @Test
    void countsWhatIsUnusual() {
        ExternalPolicy again =
                Policy.external("charge again").recovery(Recovery.RE_EXECUTE).build();
        semel.operation(again, OutcomeCodec.text()).run(Key.of("scope", "k"), Fingerprint.of("body"), attempt -> {
            now.updateAndGet(time -> time.plusSeconds(60));
            semel.operation(again, OutcomeCodec.text())
                    .run(Key.of("scope", "k"), Fingerprint.of("body"), second -> "taken over");
            return "too late";
        });
        CompletableFuture.runAsync(() -> {
                    try {
                        semel.operation(CHARGE, OutcomeCodec.text())
                                .run(Key.of("scope", "refused"), Fingerprint.of("body"), attempt -> {
                                    throw new NotExecutedException("refused", null);
                                });
                    } catch (NotExecutedException expected) {
                        return;
                    }
                })
                .join();

        assertThat(count("idempotency.taken_over")).isEqualTo(1);
        assertThat(count("idempotency.fenced")).isEqualTo(1);
        assertThat(count("idempotency.released")).isEqualTo(1);
        SemelEvent.Subject subject =
                SemelEvent.Subject.of("charge", Key.of("scope", "k").digest()).attempt(1, 1);
        metrics.on(new SemelEvent.Lapsed(subject, Recovery.HOLD));
        metrics.on(new SemelEvent.Unknown(subject));
        metrics.on(new SemelEvent.Unprotected(subject, new IllegalStateException()));
        metrics.on(new SemelEvent.SettleFailed(subject, new IllegalStateException()));
        metrics.on(new SemelEvent.Purged(7, Duration.ofMillis(3)));
        for (String name : new String[] {"lapsed", "unknown", "unprotected", "settle_failed"}) {
            assertThat(count("idempotency." + name)).as(name).isEqualTo(1);
        }
        assertThat(count("idempotency.purged")).isEqualTo(7);
    }

    @Test
    void measuresTheStoreAndTheEngine() {
        metrics.watch(semel, store);
        semel.operation(CHARGE, OutcomeCodec.text())
                .run(Key.of("scope", "done"), Fingerprint.of("body"), attempt -> "done");
        CompletableFuture<String> outcome = new CompletableFuture<>();
        var running = semel.operation(CHARGE, OutcomeCodec.text())
                .runAsync(Key.of("scope", "running"), Fingerprint.of("body"), attempt -> outcome)
                .toCompletableFuture();
        now.updateAndGet(time -> time.plusSeconds(20));

        await().until(() -> gauge("idempotency.store.rows") == 2);
        assertThat(gauge("idempotency.running")).isEqualTo(1);
        assertThat(registry.get("idempotency.keys")
                        .tag("state", "pending")
                        .gauge()
                        .value())
                .isEqualTo(1);
        for (String age : new String[] {"p50", "p95", "p99", "max"}) {
            assertThat(registry.get("idempotency.pending.age." + age)
                            .timeGauge()
                            .value(TimeUnit.SECONDS))
                    .as(age)
                    .isEqualTo(20);
        }
        assertThat(gauge("idempotency.projected.rows")).isPositive();
        assertThat(gauge("idempotency.store.up")).isEqualTo(1);
        outcome.complete("done");
        running.join();
    }

    @Test
    void countsBatches() {
        Batching batching = () -> Map.of("claim", BATCHES);
        new BatchMeters(batching).bind(registry, Tags.of("store", "jdbc"));

        assertThat(gauge("idempotency.claim.queued")).isEqualTo(3);
        assertThat(registry.get("idempotency.claim.batches").functionCounter().count())
                .isEqualTo(10);
        assertThat(registry.get("idempotency.claim.batched").functionCounter().count())
                .isEqualTo(40);
        assertThat(registry.get("idempotency.lock_waits").functionCounter().count())
                .isEqualTo(2);
        assertThat(registry.get("idempotency.deadlocks").functionCounter().count())
                .isEqualTo(1);
    }

    @Test
    void noMeterHasATagThatACallerChooses() {
        metrics.watch(semel, store);
        semel.operation(CHARGE, OutcomeCodec.text())
                .run(Key.of("scope", "secret"), Fingerprint.of("body"), attempt -> "done");
        new HttpMetrics(metrics);

        Set<String> tags = registry.getMeters().stream()
                .map(Meter::getId)
                .flatMap(id -> id.getTags().stream())
                .map(Tag::getKey)
                .collect(Collectors.toSet());
        // A bucket of a histogram is not a tag of ours.
        tags.remove("le");
        assertThat(tags).containsExactlyInAnyOrder("operation", "store", "outcome", "state");
        assertThat(registry.getMetersAsString()).doesNotContain("secret", "scope=");
    }

    @Test
    void operationsBeyondTheLimitAreCountedTogether() {
        for (int i = 0; i < 1_000; i++) {
            metrics.on(new SemelEvent.Mismatched(
                    SemelEvent.Subject.of("op-" + i, Key.of("scope", "k").digest())));
        }

        assertThat(registry.find("idempotency.mismatch").counters()).hasSize(201);
        assertThat(registry.get("idempotency.mismatch")
                        .tag("operation", "other")
                        .counter()
                        .count())
                .isEqualTo(800);
    }

    @Test
    void prometheusReadsItAll() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        SemelMetrics both = SemelMetrics.in(prometheus, "memory").operation("charge");
        both.watch(semel, store);
        new BatchMeters(() -> Map.of("claim", BATCHES)).bind(prometheus, Tags.of("store", "memory"));

        assertThat(prometheus.scrape())
                .contains(
                        "idempotency_miss_total{operation=\"charge\",store=\"memory\"} 0.0",
                        "idempotency_claim_seconds_bucket{",
                        "idempotency_pending_age_p99_seconds{store=\"memory\"}",
                        "idempotency_claim_batches_total{store=\"memory\"} 10.0",
                        "idempotency_store_size_bytes{store=\"memory\"}");
    }

    @Test
    void namesStoresByTheirClass() {
        assertThat(SemelMetrics.nameOf(store)).isEqualTo("memory");
    }

    private double count(String name) {
        return registry.get(name).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private long timed(String name) {
        return registry.get(name).timers().stream()
                .mapToLong(timer -> timer.count())
                .sum();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }
}
