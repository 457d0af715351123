package dev.semel.bench.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservers.TestPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/** A PostgreSQL server of the benchmark's own, as durable as in production. */
public record PostgresServer(EmbeddedPostgres server, Map<String, String> settings) implements AutoCloseable {

    /** More than the shipped defaults of a server that has to run anywhere, less than a large machine would give. */
    private static final Map<String, String> SETTINGS = new LinkedHashMap<>();

    static {
        SETTINGS.put("fsync", "on");
        SETTINGS.put("synchronous_commit", "on");
        SETTINGS.put("full_page_writes", "on");
        SETTINGS.put("shared_buffers", "512MB");
        SETTINGS.put("max_wal_size", "4GB");
    }

    public static PostgresServer start() throws IOException, SQLException {
        return start(SETTINGS);
    }

    /**
     * Autovacuum comes by once a minute, which is about how long a round of short turns takes: it would fall into the turn
     * of the same design in each round, and clean up there what another one has left.
     */
    public static PostgresServer startForShortTurns() throws IOException, SQLException {
        Map<String, String> settings = new LinkedHashMap<>(SETTINGS);
        settings.put("autovacuum", "off");
        return start(settings);
    }

    private static PostgresServer start(Map<String, String> settings) throws IOException, SQLException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
        settings.forEach(builder::setServerConfig);
        PostgresServer started = new PostgresServer(builder.start(), settings);
        try {
            started.requireDurable();
            return started;
        } catch (SQLException | RuntimeException e) {
            started.close();
            throw e;
        }
    }

    private void requireDurable() throws SQLException {
        for (String setting : new String[] {"fsync", "synchronous_commit", "full_page_writes"}) {
            String value = text("SHOW " + setting);
            if (!"on".equals(value)) {
                throw new IllegalStateException("the server runs with " + setting + "=" + value
                        + ": what is measured like that says nothing about durable keys");
            }
        }
    }

    /** What a reader of the results has to know of the server. */
    public String description() throws SQLException {
        StringBuilder description = new StringBuilder("PostgreSQL " + text("SHOW server_version"));
        for (String setting : settings.keySet()) {
            description.append(", ").append(setting).append('=').append(text("SHOW " + setting));
        }
        return description.toString();
    }

    public String url() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    public HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url());
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    public String text(String query) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    public long number(String query) {
        return TestPostgres.number(server.getPostgresDatabase(), query);
    }

    public void execute(String... statements) {
        TestPostgres.execute(server.getPostgresDatabase(), statements);
    }

    /** How much has been written to the write-ahead log so far. */
    public long walBytes() {
        return number("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint");
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
