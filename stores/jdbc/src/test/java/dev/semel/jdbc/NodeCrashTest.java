package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.spi.Claim;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.testservers.TestMariaDb;
import dev.semel.testservers.TestMySql;
import dev.semel.testservers.TestPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A node that is killed under load loses nothing that it was told is stored (G4, G7). */
class NodeCrashTest {

    private static final int KILLS = Integer.getInteger("semel.test.kills", 3);
    private static final int SETTLES_BEFORE_KILL = 300;

    @Test
    void sqliteKeepsEveryAcknowledgedWrite(@TempDir Path directory) throws Exception {
        try (HikariDataSource pool = TestSqlite.pool(directory.resolve("keys.db"))) {
            survivesKills(pool);
        }
    }

    @Test
    void postgresKeepsEveryAcknowledgedWrite() throws Exception {
        try (HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 4)) {
            survivesKills(pool);
        }
    }

    @Test
    void mariaDbKeepsEveryAcknowledgedWrite() throws Exception {
        try (HikariDataSource pool = TestMariaDb.newDatabase(4)) {
            survivesKills(pool);
        }
    }

    @Test
    @EnabledIf(value = "dev.semel.testservers.TestMySql#isAvailable", disabledReason = TestMySql.MISSING)
    void mySqlKeepsEveryAcknowledgedWrite() throws Exception {
        try (HikariDataSource pool = TestMySql.newDatabase(4)) {
            survivesKills(pool);
        }
    }

    private static void survivesKills(HikariDataSource pool) throws Exception {
        JdbcKeyStore.builder(pool).createIfMissing().build().close();
        for (int kill = 0; kill < KILLS; kill++) {
            List<String> acknowledged = runAndKill(pool, kill * 10_000_000L);
            try (JdbcKeyStore store = JdbcKeyStore.builder(pool).build()) {
                for (String line : acknowledged) {
                    verify(store, line);
                }
            }
        }
    }

    private static void verify(JdbcKeyStore store, String line) {
        String[] parts = line.split(" ");
        long number = Long.parseLong(parts[1]);
        Optional<KeyRecord> record = store.find(CrashingNode.key(number).digest())
                .toCompletableFuture()
                .join();
        assertThat(record).as(line).isPresent();
        if (parts[0].equals("S")) {
            assertThat(record.get().state()).as(line).isEqualTo(KeyState.SUCCEEDED);
            assertThat(record.get().outcome().payload()).isEqualTo(CrashingNode.payload(number));
        } else {
            assertThat(parts[0]).as(line).isEqualTo("C");
            assertThat(store.claim(CrashingNode.claim(number))
                            .toCompletableFuture()
                            .join())
                    .as("a second claim of " + line)
                    .isNotInstanceOf(Claim.Acquired.class);
        }
    }

    private static List<String> runAndKill(HikariDataSource pool, long first) throws IOException, InterruptedException {
        Process node = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashingNode.class.getName(),
                        pool.getJdbcUrl(),
                        String.valueOf(pool.getUsername()),
                        Long.toString(first))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(node.getInputStream(), StandardCharsets.UTF_8))) {
            int settles = 0;
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (!line.matches("(C|S|LOST) .*")) {
                    // What a driver logs.
                    continue;
                }
                lines.add(line);
                settles += line.startsWith("S ") ? 1 : 0;
                if (settles == SETTLES_BEFORE_KILL) {
                    // Not destroyForcibly of the process, which would close its output with what is not yet read.
                    node.toHandle().destroyForcibly();
                }
            }
        } finally {
            node.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        }
        assertThat(lines).filteredOn(line -> line.startsWith("S ")).hasSizeGreaterThanOrEqualTo(SETTLES_BEFORE_KILL);
        // The last line may be cut off in the middle of a number.
        return lines.subList(0, lines.size() - 1);
    }
}
