package dev.semel.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Header;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.life.Moment;
import dev.semel.spi.life.StoredKey;
import dev.semel.spi.life.StoredKey.Settlement;
import dev.semel.spi.life.StoredKeyBytes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedKeyTest {

    private static final Instant NOW = Instant.parse("2001-02-03T04:05:06.789012Z");

    private static StoredKey.Builder claimed(String value) {
        return StoredKey.builder(
                        new Key(Namespace.parse("v2:shop"), "alice", value),
                        "charge",
                        Fingerprint.of("a request").forOperation("charge"),
                        UUID.randomUUID(),
                        Retention.of(Duration.ofHours(1)),
                        "4bf92f35 POST /charges")
                .attempt(3, 17)
                .lease(NOW, NOW.plusSeconds(30));
    }

    private static Settlement settled(Outcome outcome) {
        return new Settlement(
                outcome, NOW.plusMillis(1), NOW.plusSeconds(3600), NOW.plusSeconds(7200), NOW.plusSeconds(9000));
    }

    private static byte[] unpacked(StoredKey key) {
        return StoredKeyBytes.encode(Objects.requireNonNull(PackedKey.unpack(PackedKey.pack(key))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"order-17", "@charge:order-17", "k€y \uD83D\uDE00"})
    void givesBackTheSettledKey(String value) {
        for (Outcome outcome : List.of(
                Outcome.succeeded()
                        .status(201)
                        .contentType("application/json")
                        .headers(List.of(new Header("Location", "/charges/1")))
                        .payload("{}")
                        .build(),
                Outcome.failed().format(7).status(999).build(),
                Outcome.succeeded().payload((byte[]) null).build())) {
            StoredKey key = claimed(value).settled(settled(outcome)).build();

            assertThat(PackedKey.pack(key)).isInstanceOf(PackedKey.class);
            assertThat(unpacked(key)).isEqualTo(StoredKeyBytes.encode(key));
        }
    }

    @Test
    void leavesEveryOtherKeyAsItIs() {
        Settlement end = settled(Outcome.succeeded().build());
        StoredKey pending = claimed("a").build();
        StoredKey withSteps =
                claimed("a").steps(Map.of("step", new byte[1])).settled(end).build();
        StoredKey withHistory = claimed("a")
                .history(List.of(new HistoryEntry(NOW, 1, 1, "taken over", "lease lapsed")))
                .settled(end)
                .build();

        assertThat(PackedKey.pack(pending)).isSameAs(pending);
        assertThat(PackedKey.pack(withSteps)).isSameAs(withSteps);
        assertThat(PackedKey.pack(withHistory)).isSameAs(withHistory);
        assertThat(PackedKey.pack(null)).isNull();
    }

    @Test
    void isNeededUntilItMayBeRemoved() {
        Object packed = Objects.requireNonNull(PackedKey.pack(
                claimed("a").settled(settled(Outcome.succeeded().build())).build()));

        assertThat(PackedKey.isNeeded(packed, Moment.of(NOW.plusSeconds(8999)))).isTrue();
        assertThat(PackedKey.isNeeded(packed, Moment.of(NOW.plusSeconds(9000)))).isFalse();
    }
}
