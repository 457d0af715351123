package dev.semel.spi.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.life.StoredKey.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class StoredKeyBytesTest {

    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00.123456Z");
    private static final StoredKey KEY = key(Retention.of(Duration.ofDays(3)), "a trace")
            .attempt(300, Long.MAX_VALUE)
            .lease(NOW, NOW.plusSeconds(30))
            .steps(Map.of("charge", new byte[200], "mail", new byte[0]))
            .history(List.of(new HistoryEntry(Instant.parse("1969-12-31T23:59:59Z"), 1, 5, "taken over", "")))
            .settled(Settlement.of(
                    Outcome.succeeded().payload("x".repeat(10_000)).build(), Retention.DEFAULT, NOW))
            .build();

    @Test
    void readsWhatItWrites() {
        StoredKey read = StoredKeyBytes.decode(StoredKeyBytes.encode(KEY));

        assertThat(read).usingRecursiveComparison().isEqualTo(KEY);
    }

    @Test
    void readsAKeyThatHasNothingButItsNames() {
        StoredKey bare =
                key(Retention.DEFAULT, null).attempt(1, 1).unknown(true).build();

        assertThat(StoredKeyBytes.decode(StoredKeyBytes.encode(bare)))
                .usingRecursiveComparison()
                .isEqualTo(bare);
    }

    @Test
    void aKeyCostsLittleMoreThanItsNames() {
        byte[] bytes =
                StoredKeyBytes.encode(key(Retention.DEFAULT, null).attempt(1, 1).build());

        int names = KEY.key().scope().length() + KEY.key().value().length() + "charge".length();
        assertThat(bytes.length - names).isLessThan(90);
    }

    @Test
    void bytesThatAreCutOffAreRefused() {
        byte[] whole = StoredKeyBytes.encode(KEY);

        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatIllegalArgumentException().isThrownBy(() -> StoredKeyBytes.decode(part));
        }
    }

    @Test
    void aFormatThatIsNotKnownIsRefused() {
        byte[] bytes = StoredKeyBytes.encode(KEY);
        bytes[0] = 4;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoredKeyBytes.decode(bytes))
                .withMessageContaining("format 2 was written by a newer release");
    }

    private static StoredKey.Builder key(Retention retention, String traceId) {
        return StoredKey.builder(
                Key.of("tenant", "order-17"),
                "charge",
                Fingerprint.of("the request"),
                new UUID(Long.MIN_VALUE, -1),
                retention,
                traceId);
    }
}
