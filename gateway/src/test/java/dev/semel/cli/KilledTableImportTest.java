package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.gateway.StoreUrls;
import dev.semel.testservers.TestPostgres;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An import from a table that is killed in the middle of a batch. */
class KilledTableImportTest {

    private static final int ROWS = 1000;

    /** The store cannot keep this row as long as the test holds a lock. */
    private static final int STUCK = 350;

    private static final int LOCK = 7;

    @TempDir
    Path directory;

    @Test
    void theSameCommandGoesOnAndImportsEveryRowOnce() throws Exception {
        String database = TestPostgres.newDatabase();
        String url = TestPostgres.url(database);
        StoreUrls.open(url).close();
        Path mapping = Files.writeString(directory.resolve("mapping.yaml"), """
                table: requests
                order: id
                columns: {key: request_key, status: code, body: body}
                constants: {scope: alice, operation: charge, retention: 7d}
                """);
        Path progress = directory.resolve("mapping.yaml.progress");
        List<String> command = List.of("keys", "import", "--from", url, "--map", mapping.toString(), "--store", url);
        try (HikariDataSource server = TestPostgres.pool(database, 3)) {
            TestPostgres.execute(
                    server,
                    "CREATE TABLE requests (id BIGINT PRIMARY KEY, request_key TEXT, code INT, body TEXT)",
                    "INSERT INTO requests SELECT i, 'order-' || i, 201, 'body ' || i FROM generate_series(1, " + ROWS
                            + ") i",
                    """
                    CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN
                        PERFORM pg_advisory_xact_lock(%d);
                        RETURN NEW;
                    END $$""".formatted(LOCK),
                    "CREATE TRIGGER stuck BEFORE INSERT ON semel_key FOR EACH ROW WHEN (NEW.key = 'order-" + STUCK
                            + "') EXECUTE FUNCTION stuck()");
            try (Connection holder = server.getConnection();
                    Statement statement = holder.createStatement()) {
                holder.setAutoCommit(false);
                statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
                Process process = start(command);
                try {
                    await().atMost(Duration.ofMinutes(2)).until(() -> known(server) >= STUCK - 1);
                } finally {
                    process.destroyForcibly().waitFor();
                }
                holder.rollback();
            }
            assertThat(known(server)).isLessThan(ROWS);
            JsonObject saved = new JsonObject(Files.readString(progress));
            assertThat(saved.getBoolean("finished")).isFalse();
            assertThat(saved.getLong("position")).isEqualTo(301);

            StringWriter out = new StringWriter();
            int code = SemelCommand.commandLine().setOut(new PrintWriter(out)).execute(command.toArray(String[]::new));

            assertThat(code).isZero();
            assertThat(out.toString()).contains(ROWS + " rows, " + ROWS + " imported");
            assertThat(known(server)).isEqualTo(ROWS);
            assertThat(
                            TestPostgres.number(
                                    server,
                                    "SELECT count(*) FROM semel_key k JOIN requests r ON r.request_key = k.key WHERE k.state = 2"))
                    .isEqualTo(ROWS);
            assertThat(new JsonObject(Files.readString(progress)).getBoolean("finished"))
                    .isTrue();
        }
    }

    private static long known(HikariDataSource server) {
        return TestPostgres.number(server, "SELECT count(*) FROM semel_key");
    }

    private Process start(List<String> command) throws Exception {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SemelCommand.class.getName()));
        line.addAll(command);
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("import.log").toFile())
                .start();
    }
}
