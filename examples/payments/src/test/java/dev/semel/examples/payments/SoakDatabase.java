package dev.semel.examples.payments;

import dev.semel.testservers.TestPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A PostgreSQL that keeps its data and its port when it is killed and started again. */
final class SoakDatabase implements AutoCloseable {

    private final Path data;
    private final int port;
    private EmbeddedPostgres server;

    SoakDatabase(Path data) throws IOException {
        this.data = data;
        this.server = start(0);
        this.port = server.getPort();
    }

    private EmbeddedPostgres start(int wanted) throws IOException {
        return TestPostgres.durable(EmbeddedPostgres.builder())
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPGStartupWait(Duration.ofMinutes(1))
                .setPort(wanted)
                .start();
    }

    String url() {
        return "jdbc:postgresql://localhost:" + port + "/postgres";
    }

    /** Kills all its processes at once, as when the machine loses power, and starts it again. */
    void restart() throws IOException {
        long pid = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
        ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
        List<ProcessHandle> all =
                Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().join());
        server.close();
        server = start(port);
    }

    /** How many orders there are of each item. */
    Map<String, Long> orders() throws SQLException {
        return counts("SELECT item, count(*) FROM orders GROUP BY item");
    }

    /** How many keys of each operation are pending or unknown. */
    Map<String, Long> withoutOutcome() throws SQLException {
        return counts("SELECT operation || ' in state ' || state, count(*) FROM semel_key"
                + " WHERE state IN (0, 1) GROUP BY 1");
    }

    private Map<String, Long> counts(String query) throws SQLException {
        Map<String, Long> counts = new HashMap<>();
        try (Connection connection = DriverManager.getConnection(url(), "postgres", "");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                counts.put(row.getString(1), row.getLong(2));
            }
        }
        return counts;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
