package dev.semel.bench.design;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.server.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The obvious design: a text key, the response as JSON in the row, an index to find what has expired, and one statement
 * and one commit for the claim and another for the settle.
 */
public final class NaiveDesign implements ContendedDesign, ReplayingDesign {

    private static final String CREATE = """
            CREATE TABLE idempotency_keys (
                key          text        PRIMARY KEY,
                status       text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'failed')),
                request_hash text        NOT NULL,
                response     jsonb,
                created_at   timestamptz NOT NULL DEFAULT now(),
                expires_at   timestamptz NOT NULL DEFAULT now() + interval '24 hours'
            );
            CREATE INDEX ON idempotency_keys (expires_at)""";

    private static final String CLAIM =
            "INSERT INTO idempotency_keys (key, request_hash) VALUES (?, ?) ON CONFLICT (key) DO NOTHING";
    private static final String SETTLE =
            "UPDATE idempotency_keys SET status = 'succeeded', response = ?::jsonb WHERE key = ?";
    private static final String READ = "SELECT status, request_hash, response FROM idempotency_keys WHERE key = ?";

    /** SHA-256 in hexadecimal, as long as a real one. */
    private static final String HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    private final PostgresServer server;
    private final HikariDataSource pool;

    public NaiveDesign(PostgresServer server, int connections) throws SQLException {
        this.server = server;
        this.pool = server.pool(connections);
        server.execute(CREATE);
    }

    @Override
    public String name() {
        return "naive";
    }

    @Override
    public void clear() throws SQLException {
        server.execute("TRUNCATE idempotency_keys");
    }

    @Override
    public void cycle(String key) throws SQLException {
        if (!claim(key)) {
            throw new IllegalStateException("key " + key + " was not free");
        }
        try (Connection connection = pool.getConnection();
                PreparedStatement settle = connection.prepareStatement(SETTLE)) {
            settle.setString(1, Payload.of(key));
            settle.setString(2, key);
            if (settle.executeUpdate() != 1) {
                throw new IllegalStateException("key " + key + " was not settled");
            }
        }
    }

    @Override
    public boolean claim(String key) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement claim = connection.prepareStatement(CLAIM)) {
            claim.setString(1, key);
            claim.setString(2, HASH);
            return claim.executeUpdate() == 1;
        }
    }

    @Override
    public void replay(String key) throws SQLException {
        if (claim(key)) {
            throw new IllegalStateException("key " + key + " was free");
        }
        try (Connection connection = pool.getConnection();
                PreparedStatement read = connection.prepareStatement(READ)) {
            read.setString(1, key);
            try (ResultSet row = read.executeQuery()) {
                if (!row.next()
                        || !row.getString(2).equals(HASH)
                        || !row.getString(3).contains(key)) {
                    throw new IllegalStateException("key " + key + " has another outcome");
                }
            }
        }
    }

    @Override
    public void verify(long cycles) throws SQLException {
        Verification.requireEqual(
                name(),
                cycles,
                server.number("SELECT count(*) FROM idempotency_keys WHERE status = 'succeeded' AND response = ("
                        + Payload.sql("key") + ")::jsonb"));
    }

    @Override
    public long bytes() throws SQLException {
        return server.number("SELECT pg_total_relation_size('idempotency_keys')");
    }

    @Override
    public void close() {
        pool.close();
    }
}
