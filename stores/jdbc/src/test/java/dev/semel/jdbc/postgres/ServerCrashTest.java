package dev.semel.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testkit.crash.CrashLoad;
import dev.semel.testservers.TestPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL is killed under load: it loses nothing that it has acknowledged, and calls under way succeed afterwards. */
class ServerCrashTest {

    private static final int SETTLES_BEFORE_KILL = 1_000;
    private static final int SETTLES_AFTER_RESTART = 500;

    @TempDir
    Path directory;

    @Test
    void losesNothingThatWasAcknowledged() throws Exception {
        Path data = directory.resolve("data");
        EmbeddedPostgres server = start(data, 0);
        int port = server.getPort();
        try (HikariDataSource pool =
                        TestPostgres.pool("jdbc:postgresql://localhost:" + port + "/postgres", "postgres", 4);
                JdbcKeyStore store = JdbcKeyStore.builder(pool)
                        .createIfMissing()
                        .giveUpAfter(Duration.ofMinutes(2))
                        .build();
                CrashLoad load = CrashLoad.start(store)) {
            load.awaitSettles(SETTLES_BEFORE_KILL);

            kill(data);
            server.close();
            server = start(data, port);

            load.awaitSettles(SETTLES_AFTER_RESTART);
            load.verify();
            assertThat(load.repeated()).isZero();
        } finally {
            server.close();
        }
    }

    private static EmbeddedPostgres start(Path data, int port) throws IOException {
        return TestPostgres.durable(EmbeddedPostgres.builder())
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPort(port)
                .start();
    }

    /** All processes of the server at once, as when the machine loses power. */
    private static void kill(Path data) throws IOException {
        long pid = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0));
        ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
        List<ProcessHandle> all =
                Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
    }
}
