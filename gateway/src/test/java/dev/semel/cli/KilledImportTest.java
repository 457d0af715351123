package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.gateway.StoreUrls;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import dev.semel.testservers.TestPostgres;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An import that is killed between two decisions. */
class KilledImportTest {

    private static final int KEYS = 8;

    /** So many are decided, and the next is held by somebody else. */
    private static final int DECIDED = 3;

    @TempDir
    Path directory;

    @Test
    void whatItDecidedStaysAndTheRestIsDecidedByTheSameFile() throws Exception {
        String database = TestPostgres.newDatabase();
        String store = TestPostgres.url(database);
        StringBuilder csv = new StringBuilder("key,executed\n");
        try (StoreUrls.OpenStore open = StoreUrls.open(store)) {
            for (int i = 0; i < KEYS; i++) {
                lose(open.keys(), "order-" + i);
                csv.append("order-").append(i).append(",yes\n");
            }
        }
        Path file = Files.writeString(directory.resolve("answers.csv"), csv);
        String[] command = {
            "keys", "import", file.toString(), "--status", "201", "--reason", "their list", "--yes", "--store", store
        };
        try (HikariDataSource server = TestPostgres.pool(database, 3)) {
            try (Connection holder = server.getConnection()) {
                hold(holder, "order-" + DECIDED);
                Process process = start(command);
                try {
                    await().atMost(Duration.ofMinutes(2)).until(() -> decisions(server) == DECIDED);
                } finally {
                    process.destroyForcibly().waitFor();
                }
                holder.rollback();
            }
            // The statement that waited may still run to its end, as a whole; then it had its entry too.
            await().atMost(Duration.ofMinutes(1)).until(() -> waiting(server) == 0);
            long decided = decisions(server);
            assertThat(decided).isBetween((long) DECIDED, DECIDED + 1L);
            assertThat(inState(server, 2)).isEqualTo(decided);
            assertThat(inState(server, 1)).isEqualTo(KEYS - decided);

            int code = SemelCommand.commandLine()
                    .setOut(new PrintWriter(new StringWriter()))
                    .execute(command);

            assertThat(code).as("rows that were decided before are told").isEqualTo(1);
            assertThat(inState(server, 2)).isEqualTo(KEYS);
            assertThat(decisions(server)).isEqualTo(KEYS);
            assertThat(TestPostgres.number(server, "SELECT count(DISTINCT subject) FROM semel_key_decision"))
                    .isEqualTo(KEYS);
        }
    }

    private static void lose(KeyStore keys, String name) {
        Claim claim = keys.claim(ClaimRequest.builder(Key.of("alice", name), "charge", Fingerprint.of(name))
                        .build())
                .toCompletableFuture()
                .join();
        keys.abandon(((Claim.Acquired) claim).lease()).toCompletableFuture().join();
    }

    private static void hold(Connection connection, String key) throws Exception {
        connection.setAutoCommit(false);
        try (PreparedStatement lock = connection.prepareStatement("SELECT 1 FROM semel_key WHERE key = ? FOR UPDATE")) {
            lock.setString(1, key);
            assertThat(lock.executeQuery().next()).isTrue();
        }
    }

    private Process start(String... command) throws Exception {
        String[] java = {
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            SemelCommand.class.getName()
        };
        String[] line = new String[java.length + command.length];
        System.arraycopy(java, 0, line, 0, java.length);
        System.arraycopy(command, 0, line, java.length, command.length);
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("import.log").toFile())
                .start();
    }

    private static long decisions(HikariDataSource server) {
        return TestPostgres.number(server, "SELECT count(*) FROM semel_key_decision");
    }

    private static long inState(HikariDataSource server, int state) {
        return TestPostgres.number(server, "SELECT count(*) FROM semel_key WHERE state = " + state);
    }

    private static long waiting(HikariDataSource server) {
        return TestPostgres.number(
                server,
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                        + " AND state <> 'idle'");
    }
}
