package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Header;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.life.StoredKey;
import dev.semel.testservers.RedisProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Records as 0.1.0 writes them, in files that never change: later releases read them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FirstReleaseRecordsTest {

    private static final Retention LONG = Retention.of(Duration.ofDays(36_500));
    private static final Key PENDING = Key.of("tenant", "pending");
    private static final Key UNKNOWN = Key.of("Größe", "ключ");
    private static final Key SUCCEEDED = Key.of("tenant", "succeeded");
    private static final Outcome CREATED = Outcome.succeeded()
            .format(1)
            .status(201)
            .contentType("application/json")
            .headers(List.of(new Header("Location", "/orders/19")))
            .payload("{\"id\":19}")
            .build();

    private final RedisProcess redis = RedisProcess.start();
    private final RedisClient client = RedisClient.create(redis.url());
    private final StatefulRedisConnection<byte[], byte[]> raw = client.connect(ByteArrayCodec.INSTANCE);
    private final Caller node =
            new Caller(RedisKeyStore.builder(redis.url()).createIfMissing().build());

    @AfterAll
    void close() {
        node.close();
        raw.close();
        client.close();
        redis.close();
    }

    @Test
    void readsAPendingRecordOfTheFirstRelease() throws IOException {
        StoredKey read = Records.decode(restore("pending", PENDING));

        assertThat(read.key()).isEqualTo(PENDING);
        assertThat(read.isUnknown()).isFalse();
        assertThat(read.settlement()).isNull();
        assertThat(read.retention()).isEqualTo(LONG);
        assertThat(read.traceId()).isEqualTo("a trace");
        assertThat(read.steps().get("charge")).containsExactly(1, 2, 3);
        assertThat(Caller.answer(
                        node.store().claim(claim(PENDING).takeOver(true).build())))
                .isInstanceOfSatisfying(
                        Claim.Acquired.class, next -> assertThat(next.steps()).containsOnlyKeys("charge"));
    }

    @Test
    void readsAnUnknownRecordOfTheFirstRelease() throws IOException {
        StoredKey read = Records.decode(restore("unknown", UNKNOWN));

        assertThat(read.key()).isEqualTo(UNKNOWN);
        assertThat(read.isUnknown()).isTrue();
        assertThat(Caller.answer(node.store().claim(claim(UNKNOWN).build()))).isInstanceOf(Claim.Unknown.class);
    }

    @Test
    void replaysASettledRecordOfTheFirstRelease() throws IOException {
        StoredKey read = Records.decode(restore("succeeded", SUCCEEDED));

        assertThat(read.settlement().outcome()).usingRecursiveComparison().isEqualTo(CREATED);
        assertThat(Caller.answer(node.store().claim(claim(SUCCEEDED).build())))
                .isInstanceOfSatisfying(
                        Claim.Settled.class,
                        settled -> assertThat(settled.outcome())
                                .usingRecursiveComparison()
                                .isEqualTo(CREATED));
    }

    /** Writes the files down: before a release in which the format is new. */
    @Test
    @EnabledIfSystemProperty(named = "records.written", matches = ".+")
    void write() throws IOException {
        Lease pending = acquire(claim(PENDING).lease(Duration.ofMillis(200)));
        Caller.answer(node.store().recordStep(pending, "charge", new byte[] {1, 2, 3}));
        Caller.answer(node.store().abandon(acquire(claim(UNKNOWN))));
        Caller.answer(node.store().settle(acquire(claim(SUCCEEDED)), CREATED, LONG));
        Path directory = Files.createDirectories(Path.of(System.getProperty("records.written"), "0.1.0"));
        for (Key key : List.of(PENDING, UNKNOWN, SUCCEEDED)) {
            String name = key.equals(UNKNOWN) ? "unknown" : key.value();
            String hex = HexFormat.of().formatHex(raw.sync().get(name(key)));
            Files.writeString(directory.resolve(name + ".hex"), hex.replaceAll(".{120}", "$0\n") + "\n");
        }
    }

    /** Puts the record where the first release had it. */
    private byte[] restore(String file, Key key) throws IOException {
        try (InputStream in = FirstReleaseRecordsTest.class.getResourceAsStream("0.1.0/" + file + ".hex")) {
            assertThat(in).as(file).isNotNull();
            String hex = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            byte[] record = HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
            raw.sync().set(name(key), record);
            return record;
        }
    }

    private static byte[] name(Key key) {
        return new Names("semel").record(key.digest());
    }

    private Lease acquire(ClaimRequest.Builder request) {
        return ((Claim.Acquired) Caller.answer(node.store().claim(request.build()))).lease();
    }

    private static ClaimRequest.Builder claim(Key key) {
        return ClaimRequest.builder(key, "charge", Fingerprint.of("the request"))
                .lease(Duration.ofMinutes(5))
                .retention(LONG)
                .traceId("a trace");
    }
}
