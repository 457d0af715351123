package dev.semel.jdbc;

import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.RetentionText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The claims of one transaction: looks at each key, and writes it if it can be had. */
final class SqliteClaims implements AutoCloseable {

    private static final String INSERT = """
            INSERT INTO {key} (nonce, token, claimed_at, lease_until, attempt, fingerprint, operation, trace_id,
                retention, history, state, digest, namespace, scope, key)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)""";

    private static final String TAKE = """
            UPDATE {key}
            SET nonce = ?, token = ?, claimed_at = ?, lease_until = ?, attempt = ?, fingerprint = ?, operation = ?,
                trace_id = ?, retention = ?, history = ?, state = 0, steps = ?,
                status = NULL, format = NULL, settled_at = NULL, expires_at = NULL, free_at = NULL, purge_at = NULL,
                headers = NULL, body = NULL
            WHERE id = ?""";

    private final Connection connection;
    private final TableName table;
    private final long now;
    private final PreparedStatement find;
    private final PreparedStatement insert;
    private final PreparedStatement take;
    private long token;
    private boolean tokensUsed;

    SqliteClaims(Connection connection, TableName table, long now) throws SQLException {
        this.connection = connection;
        this.table = table;
        this.now = now;
        this.find = connection.prepareStatement(table.in("SELECT * FROM {key} WHERE digest = ?"));
        this.insert = connection.prepareStatement(table.in(INSERT));
        this.take = connection.prepareStatement(table.in(TAKE));
        try (PreparedStatement last = connection.prepareStatement(table.in("SELECT last FROM {key}_token"));
                ResultSet row = last.executeQuery()) {
            row.next();
            token = row.getLong(1);
        }
    }

    Claim claim(ClaimRequest request) throws SQLException {
        find.setBytes(1, KeyRow.bytes(request.key().digest()));
        try (ResultSet found = find.executeQuery()) {
            if (!found.next()) {
                return insert(request);
            }
            KeyRow row = new KeyRow(found, now);
            if (row.isFree()) {
                return take(row, request, 1, null, null);
            }
            if (row.isOwnPending(request)) {
                return row.acquired(request);
            }
            if (row.isLapsed() && request.takeOver() && row.matches(request)) {
                String history = row.noted("taken over", "lease lapsed at " + row.leaseEnd());
                return take(row, request, row.attempt() + 1, row.steps(), history);
            }
            return row.refusal(request);
        }
    }

    private Claim insert(ClaimRequest request) throws SQLException {
        int next = bind(insert, request, 1, null);
        insert.setBytes(next, KeyRow.bytes(request.key().digest()));
        insert.setString(next + 1, request.key().namespace().toString());
        insert.setString(next + 2, request.key().scope());
        insert.setString(next + 3, request.key().value());
        insert.executeUpdate();
        return new Claim.Acquired(new Lease(request.key().digest(), request.nonce(), token, 1), Map.of());
    }

    private Claim take(KeyRow row, ClaimRequest request, int attempt, byte @Nullable [] steps, @Nullable String history)
            throws SQLException {
        int next = bind(take, request, attempt, history);
        take.setBytes(next, steps);
        take.setLong(next + 1, row.id());
        take.executeUpdate();
        return new Claim.Acquired(
                new Lease(request.key().digest(), request.nonce(), token, attempt), Steps.decode(steps));
    }

    private int bind(PreparedStatement statement, ClaimRequest request, int attempt, @Nullable String history)
            throws SQLException {
        token++;
        tokensUsed = true;
        statement.setBytes(1, KeyRow.bytes(request.nonce()));
        statement.setLong(2, token);
        statement.setLong(3, now);
        statement.setLong(4, now + PostgresKeyTable.micros(request.lease()));
        statement.setInt(5, attempt);
        statement.setBytes(6, request.fingerprint().bytes());
        statement.setString(7, request.operation());
        statement.setString(8, request.traceId());
        statement.setString(9, RetentionText.encode(request.retention()));
        statement.setString(10, history);
        return 11;
    }

    /** Notes the tokens that were given out, in the same transaction. */
    void end() throws SQLException {
        if (tokensUsed) {
            try (PreparedStatement update = connection.prepareStatement(table.in("UPDATE {key}_token SET last = ?"))) {
                update.setLong(1, token);
                update.executeUpdate();
            }
        }
    }

    @Override
    public void close() throws SQLException {
        try (find;
                insert;
                take) {
            // Closed by leaving the block, each even if another one fails.
        }
    }
}
