package dev.semel.bench.design;

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
public final class NaiveDesign extends Design implements ContendedDesign {

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

    static final String CLAIM =
            "INSERT INTO idempotency_keys (key, request_hash) VALUES (?, ?) ON CONFLICT (key) DO NOTHING";
    static final String SETTLE = "UPDATE idempotency_keys SET status = 'succeeded', response = ?::jsonb WHERE key = ?";
    private static final String READ = "SELECT status, request_hash, response FROM idempotency_keys WHERE key = ?";

    /** SHA-256 in hexadecimal, as long as a real one. */
    static final String HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    public NaiveDesign(PostgresServer server, int connections) {
        super("naive", server, connections, "idempotency_keys");
        server.execute(CREATE);
    }

    @Override
    public void cycle(String key) throws SQLException {
        require(claim(key), key, "was not free");
        require(update(SETTLE, Payload.of(key), key), key, "was not settled");
    }

    @Override
    public boolean claim(String key) throws SQLException {
        return update(CLAIM, key, HASH);
    }

    private boolean update(String sql, String first, String second) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, first);
            statement.setString(2, second);
            return statement.executeUpdate() == 1;
        }
    }

    /** Asks for a key that is settled; fails unless the answer is its payload. */
    public void replay(String key) throws SQLException {
        require(!claim(key), key, "was free");
        try (Connection connection = pool.getConnection();
                PreparedStatement read = connection.prepareStatement(READ)) {
            read.setString(1, key);
            try (ResultSet row = read.executeQuery()) {
                boolean same = row.next()
                        && row.getString(2).equals(HASH)
                        && row.getString(3).contains(key);
                require(same, key, "has another outcome");
            }
        }
    }

    @Override
    String settled() {
        return "status = 'succeeded' AND response = (" + Payload.sql("key") + ")::jsonb";
    }

    @Override
    public long bytes() {
        return tableBytes();
    }
}
