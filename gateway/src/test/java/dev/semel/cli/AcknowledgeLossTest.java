package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.redis.RedisKeyStore;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.testservers.TestRedis;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class AcknowledgeLossTest {

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private TestRedis redis;
    private String url;

    @BeforeEach
    void start() throws IOException {
        redis = TestRedis.start();
        url = redis.url();
    }

    @AfterEach
    void stop() throws IOException {
        redis.close();
    }

    /** A Redis without a marker is one that has lost it, for all that anybody can tell. */
    @Test
    void opensAStoreThatHasLostItsMemory() {
        assertThat(run("keys", "acknowledge-loss", "--store", url, "--yes")).isZero();

        assertThat(out.toString()).contains("16 of the store's buckets");
        try (RedisKeyStore store = RedisKeyStore.connect(url)) {
            ClaimRequest request = ClaimRequest.builder(Key.of("alice", "a"), "charge", Fingerprint.of("a"))
                    .lease(Duration.ofMinutes(1))
                    .build();
            assertThat(store.claim(request).toCompletableFuture().join()).isInstanceOf(Claim.Acquired.class);
        }
    }

    @Test
    void anotherStoreHasNoLossesToAcknowledge() {
        assertThat(run("keys", "acknowledge-loss", "--store", "sqlite:" + directory.resolve("keys.db"), "--yes"))
                .isEqualTo(2);

        assertThat(err.toString()).contains("is not in Redis");
    }

    private int run(String... args) {
        CommandLine command = SemelCommand.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(args);
    }
}
