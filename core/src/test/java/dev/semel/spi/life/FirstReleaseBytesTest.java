package dev.semel.spi.life;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Header;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.life.StoredKey.Settlement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What 0.1.0 writes, in files that never change: later releases read it, and as long as the number of the format stays, they write
 * it too, so that nodes of both work on one store.
 */
class FirstReleaseBytesTest {

    private static final Instant CLAIMED = Instant.parse("2026-11-16T12:00:00.123456Z");
    private static final Instant SETTLED = CLAIMED.plusSeconds(2);

    enum Sample {
        PENDING(claimed(Namespace.DEFAULT.key("tenant", "order-17"), Retention.DEFAULT, null)
                .attempt(1, 1)
                .build()),

        TAKEN_OVER(claimed(
                        Namespace.parse("v1:payments").key("Größe", "ключ-17"),
                        Retention.of(Duration.ofDays(3)),
                        "a trace")
                .attempt(300, Long.MAX_VALUE)
                .steps(Map.of("charge", new byte[] {1, 2, 3}))
                .history(List.of(new HistoryEntry(CLAIMED.minusSeconds(60), 299, 5, "taken over", "by node 2")))
                .build()),

        UNKNOWN(claimed(Namespace.DEFAULT.key("anybody", "order-18"), Retention.DEFAULT, null)
                .attempt(2, 7)
                .unknown(true)
                .build()),

        SUCCEEDED(claimed(Namespace.DEFAULT.key("tenant", "order-19"), Retention.of(Duration.ofDays(3)), null)
                .attempt(1, 8)
                .settled(Settlement.of(
                        Outcome.succeeded()
                                .format(1)
                                .status(201)
                                .contentType("application/json")
                                .headers(List.of(new Header("Location", "/orders/19"), new Header("Set-Cookie", "a=1")))
                                .payload("{\"id\":19}")
                                .build(),
                        Retention.of(Duration.ofDays(3)),
                        SETTLED))
                .build()),

        FAILED(claimed(Namespace.DEFAULT.key("tenant", "order-20"), Retention.DEFAULT, null)
                .attempt(1, 9)
                .settled(Settlement.of(Outcome.failed().status(409).build(), Retention.DEFAULT, SETTLED))
                .build());

        private final StoredKey key;

        Sample(StoredKey key) {
            this.key = key;
        }

        private static StoredKey.Builder claimed(Key key, Retention retention, String traceId) {
            return StoredKey.builder(
                            key,
                            "charge",
                            Fingerprint.of("the request"),
                            new UUID(Long.MIN_VALUE, -1),
                            retention,
                            traceId)
                    .lease(CLAIMED, CLAIMED.plusSeconds(30));
        }

        byte[] stored() throws IOException {
            String file = "0.1.0/" + name().toLowerCase(java.util.Locale.ROOT) + ".hex";
            try (InputStream in = FirstReleaseBytesTest.class.getResourceAsStream(file)) {
                assertThat(in)
                        .as("%s, with %s", file, HexFormat.of().formatHex(StoredKeyBytes.encode(key)))
                        .isNotNull();
                String hex = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
                return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void readsWhatTheFirstReleaseWrote(Sample sample) throws IOException {
        assertThat(StoredKeyBytes.decode(sample.stored()))
                .usingRecursiveComparison()
                .isEqualTo(sample.key);
    }

    @ParameterizedTest
    @EnumSource
    void writesWhatTheFirstReleaseReads(Sample sample) throws IOException {
        assertThat(StoredKeyBytes.encode(sample.key)).isEqualTo(sample.stored());
    }

    @ParameterizedTest
    @EnumSource
    void readsACellOfTheFirstRelease(Sample sample) throws IOException {
        byte[] key = sample.stored();
        byte[] cell = java.nio.ByteBuffer.allocate(2 * Long.BYTES + key.length)
                .putLong(12)
                .putLong(Long.MAX_VALUE)
                .put(key)
                .array();

        Cell read = CellBytes.decode(cell, 3);

        assertThat(read.token()).isEqualTo(12);
        assertThat(read.removableAt()).isNull();
        assertThat(read.key()).usingRecursiveComparison().isEqualTo(sample.key);
        assertThat(CellBytes.encode(read)).isEqualTo(cell);
    }
}
