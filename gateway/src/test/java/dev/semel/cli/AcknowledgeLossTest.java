package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.gateway.StoreUrls;
import dev.semel.redis.RedisKeyStore;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import dev.semel.testservers.TestRedis;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
            assertThat(claim(store)).isInstanceOf(Claim.Acquired.class);
        }
    }

    @Test
    void aDatabaseThatWasNotRestoredHasNoLossToAcknowledge() throws Exception {
        String sqlite = "sqlite:" + directory.resolve("keys.db");
        StoreUrls.open(sqlite).close();

        assertThat(run("keys", "acknowledge-loss", "--store", sqlite, "--yes")).isZero();

        assertThat(out.toString()).contains("nothing was lost");
    }

    @Test
    void opensADatabaseThatWasRestored() throws Exception {
        Path database = directory.resolve("keys.db");
        String sqlite = "sqlite:" + database;
        StoreUrls.open(sqlite).close();
        Path backup = Files.copy(database, directory.resolve("backup.db"));
        StoreUrls.open(sqlite).close();
        Files.deleteIfExists(directory.resolve("keys.db-wal"));
        Files.deleteIfExists(directory.resolve("keys.db-shm"));
        Files.copy(backup, database, StandardCopyOption.REPLACE_EXISTING);
        try (StoreUrls.OpenStore refused = StoreUrls.open(sqlite)) {
            assertThatThrownBy(() -> claim(refused.keys())).hasMessageContaining("restored from an older copy");
        }

        assertThat(run("keys", "acknowledge-loss", "--store", sqlite, "--yes")).isZero();

        assertThat(out.toString()).contains("acknowledged: the database was restored");
        try (StoreUrls.OpenStore open = StoreUrls.open(sqlite)) {
            assertThat(claim(open.keys())).isInstanceOf(Claim.Acquired.class);
        }
    }

    private static Claim claim(KeyStore store) {
        ClaimRequest request = ClaimRequest.builder(Key.of("alice", "a"), "charge", Fingerprint.of("a"))
                .lease(Duration.ofMinutes(1))
                .build();
        return store.claim(request).toCompletableFuture().join();
    }

    private int run(String... args) {
        CommandLine command = SemelCommand.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(args);
    }
}
