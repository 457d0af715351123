package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.KeyRecord;
import dev.semel.testkit.SettableClock;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a service has refused is kept for a shorter time than what it has done. */
class RefusedRetentionTest {

    private final SettableClock clock = SettableClock.at(Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryKeyStore store =
            InMemoryKeyStore.builder().clock(clock).build();
    private TestUpstream upstream;
    private TestGateway gateway;

    @BeforeEach
    void startUpstream() {
        upstream = new TestUpstream();
    }

    private void start(String... options) {
        gateway = TestGateway.start(store, upstream.url(), options);
    }

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    private Duration keptFor(String key) {
        KeyRecord found = store.find(Key.of("single", key).digest())
                .toCompletableFuture()
                .join()
                .orElseThrow();
        return Duration.between(found.settledAt(), found.expiresAt());
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 405, 413, 415, 422, 429})
    void aRefusalIsKeptForAnHour(int status) {
        start();
        assertThat(gateway.post("/status/" + status, "refused", "{}").statusCode())
                .isEqualTo(status);

        assertThat(keptFor("refused")).isEqualTo(Duration.ofHours(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 302, 402, 408, 409, 500, 503})
    void whatMayHaveHadAnEffectIsKeptForTheRetention(int status) {
        start();
        gateway.post("/status/" + status, "done", "{}");

        assertThat(keptFor("done")).isEqualTo(Duration.ofHours(24));
    }

    @Test
    void aRefusalReplaysUntilThenAndRunsAgainAfterwards() {
        start("retention-of-refused", "10m", "publish-expiry", "true");
        HttpResponse<String> first = gateway.post("/status/422", "k", "{}");
        clock.advance(Duration.ofMinutes(9));
        HttpResponse<String> second = gateway.post("/status/422", "k", "{}");

        assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
        assertThat(second.headers().firstValue("Idempotency-Expires")).hasValue("Thu, 01 Jan 2026 00:10:00 GMT");
        assertThat(first.headers().firstValue("Idempotency-Expires")).isPresent();
        assertThat(upstream.effects("k")).isEqualTo(1);

        clock.advance(Duration.ofMinutes(2));
        gateway.post("/status/422", "k", "{}");
        assertThat(upstream.effects("k")).isEqualTo(2);
    }

    @Test
    void aShorterRetentionCountsForRefusalsToo() {
        start("retention", "5m");
        gateway.post("/status/422", "k", "{}");

        assertThat(keptFor("k")).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void aRefusalWithATombstoneDoesNotRunAgain() {
        start("tombstone", "24h");
        gateway.post("/status/422", "k", "{}");
        clock.advance(Duration.ofHours(2));

        assertThat(gateway.post("/status/422", "k", "{}").statusCode()).isEqualTo(410);
        assertThat(upstream.effects("k")).isEqualTo(1);
    }
}
