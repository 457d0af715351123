package dev.semel.torture.database;

import dev.semel.torture.process.Ports;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** One PostgreSQL server in a data directory, as durable as in production. It can be killed and started again. */
public final class Postgres implements AutoCloseable {

    private static final Map<String, String> SETTINGS = Map.of(
            "fsync", "on",
            "synchronous_commit", "on",
            "full_page_writes", "on",
            "max_connections", "200",
            "shared_buffers", "128MB",
            "wal_keep_size", "512MB",
            "wal_level", "replica",
            "hot_standby", "on",
            "wal_retrieve_retry_interval", "200ms");

    private final Path data;
    private final Map<String, String> more;
    private int port;
    private @Nullable EmbeddedPostgres server;

    Postgres(Path data, Map<String, String> more) {
        this.data = data;
        this.more = more;
    }

    public Path data() {
        return data;
    }

    public int port() {
        return port;
    }

    /** Starts the server, always on the same port. */
    void start() throws IOException {
        if (port == 0) {
            port = Ports.free();
        }
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPGStartupWait(Duration.ofSeconds(60))
                .setPort(port);
        SETTINGS.forEach(builder::setServerConfig);
        more.forEach(builder::setServerConfig);
        server = builder.start();
    }

    DataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(PostgresUrls.directUrl(port));
        return source;
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    String text(String query) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() ? row.getString(1) : "";
        }
    }

    boolean isUp() {
        try {
            return text("SELECT 1").equals("1");
        } catch (SQLException e) {
            return false;
        }
    }

    /** The server's own process and all its children; none if it is down. */
    public List<ProcessHandle> processes() throws IOException {
        Path file = data.resolve("postmaster.pid");
        if (!Files.exists(file)) {
            return List.of();
        }
        List<String> lines = Files.readAllLines(file);
        return lines.isEmpty()
                ? List.of()
                : ProcessHandle.of(Long.parseLong(lines.get(0).trim())).stream()
                        .flatMap(postmaster -> Stream.concat(Stream.of(postmaster), postmaster.descendants()))
                        .toList();
    }

    /** Kills all processes of the server at once, as when the machine loses power. */
    public void kill() throws IOException {
        List<ProcessHandle> all = processes();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().join());
        close();
    }

    @Override
    public void close() throws IOException {
        EmbeddedPostgres running = server;
        if (running != null) {
            running.close();
            server = null;
        }
    }
}
