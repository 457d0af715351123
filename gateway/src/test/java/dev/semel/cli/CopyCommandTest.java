package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.gateway.StoreUrls;
import dev.semel.policy.Retention;
import dev.semel.redis.RedisKeyStore;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.testservers.TestRedis;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys move from a database to Redis, and back. */
class CopyCommandTest {

    private static final int KEYS = 250;
    private static final Fingerprint BODY = Fingerprint.of("body");
    private static final Retention KEPT = Retention.of(Duration.ofHours(1));

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private TestRedis redis;
    private String from;
    private String to;

    @BeforeEach
    void start() throws Exception {
        redis = TestRedis.start();
        to = redis.url();
        RedisKeyStore.builder(to).createIfMissing().build().close();
        from = "sqlite:" + directory.resolve("keys.db");
        try (StoreUrls.OpenStore source = StoreUrls.open(from)) {
            for (int i = 0; i < KEYS; i++) {
                settle(source.keys(), "key-" + i, "outcome " + i);
            }
            acquire(source.keys(), "pending");
            join(source.keys().abandon(acquire(source.keys(), "unknown")));
        }
    }

    @AfterEach
    void stop() throws IOException {
        redis.close();
    }

    @Test
    void copiesWhatHasEndedAndLeavesWhatHasNot() throws Exception {
        assertThat(run("keys", "copy", "--from", from, "--to", to, "--yes", "--json"))
                .isZero();

        JsonObject done = new JsonObject(out.toString());
        assertThat(done.getLong("copied")).isEqualTo(KEYS + 1);
        assertThat(done.getLong("pending")).isEqualTo(1);
        assertThat(done.getLong("failed")).isZero();
        try (StoreUrls.OpenStore target = StoreUrls.open(to)) {
            for (int i = 0; i < KEYS; i++) {
                byte[] expected = ("outcome " + i).getBytes(StandardCharsets.UTF_8);
                assertThat(claim(target.keys(), "key-" + i))
                        .isInstanceOfSatisfying(
                                Claim.Settled.class,
                                settled ->
                                        assertThat(settled.outcome().payload()).isEqualTo(expected));
            }
            assertThat(claim(target.keys(), "unknown")).isInstanceOf(Claim.Unknown.class);
            assertThat(claim(target.keys(), "pending")).isInstanceOf(Claim.Acquired.class);
        }
    }

    @Test
    void leavesKeysThatTheOtherStoreHasUsedAlready() throws Exception {
        try (StoreUrls.OpenStore target = StoreUrls.open(to)) {
            settle(target.keys(), "key-7", "another outcome");
        }

        assertThat(run("keys", "copy", "--from", from, "--to", to, "--yes", "--json"))
                .isZero();

        assertThat(new JsonObject(out.toString()).getLong("kept")).isEqualTo(1);
        try (StoreUrls.OpenStore target = StoreUrls.open(to)) {
            assertThat(((Claim.Settled) claim(target.keys(), "key-7")).outcome().payload())
                    .isEqualTo("another outcome".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void canBeRepeatedAndGoBack() {
        assertThat(run("keys", "copy", "--from", from, "--to", to, "--yes")).isZero();
        assertThat(out.toString()).contains(KEYS + 1 + " keys copied", "1 pending");
        out.getBuffer().setLength(0);
        assertThat(run("keys", "copy", "--from", from, "--to", to, "--yes", "--json"))
                .isZero();
        assertThat(new JsonObject(out.toString()).getLong("copied")).isEqualTo(KEYS + 1);
        out.getBuffer().setLength(0);

        String back = "sqlite:" + directory.resolve("back.db");
        assertThat(run("keys", "copy", "--from", to, "--to", back, "--yes", "--json"))
                .isZero();

        assertThat(new JsonObject(out.toString()).getLong("copied")).isEqualTo(KEYS + 1);
    }

    @Test
    void asksFirst() throws Exception {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream("n\n".getBytes(StandardCharsets.UTF_8)));
        try {
            assertThat(run("keys", "copy", "--from", from, "--to", to)).isEqualTo(1);
        } finally {
            System.setIn(before);
        }

        assertThat(out.toString()).contains("nothing was changed");
        try (StoreUrls.OpenStore target = StoreUrls.open(to)) {
            assertThat(claim(target.keys(), "key-1")).isInstanceOf(Claim.Acquired.class);
        }
    }

    @Test
    void refusesToCopyAStoreToItself() {
        assertThat(run("keys", "copy", "--from", from, "--to", from, "--yes")).isEqualTo(2);
        assertThat(err.toString()).contains("same store");
    }

    private int run(String... args) {
        return SemelCommand.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    private static void settle(KeyStore store, String key, String outcome) {
        assertThat(join(store.settle(
                        acquire(store, key),
                        Outcome.succeeded().payload(outcome).build(),
                        KEPT)))
                .isTrue();
    }

    private static Lease acquire(KeyStore store, String key) {
        return ((Claim.Acquired) claim(store, key)).lease();
    }

    private static Claim claim(KeyStore store, String key) {
        return join(store.claim(ClaimRequest.builder(Key.of("alice", key), "charge", BODY)
                .lease(Duration.ofMinutes(5))
                .build()));
    }

    private static <T> T join(java.util.concurrent.CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
