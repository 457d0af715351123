package dev.semel.jdbc;

import dev.semel.KeyDigest;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.RetentionText;
import dev.semel.spi.life.Change;
import dev.semel.spi.life.StoredKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Claims in MariaDB: one look at all keys of a batch, one statement that inserts those that are not there, and one
 * transaction that takes over those that are free or lapsed.
 *
 * <p>No statement depends on the isolation level: what is decided is decided by a unique index, or again by the rows once
 * they are locked.
 */
final class MariaDbClaims {

    /** Nobody waits for another one: what is held stands aside, or is in flight to a transaction of the application. */
    static final int NO_PATIENCE = 0;

    /** A look only finds out which keys can be had; who takes one gets its token when the row is locked. */
    private static final long NO_TOKEN_YET = 1;

    private static final String LOOK = "SELECT k.*, {now} AS asked_at FROM {key} k WHERE digest IN ";

    /** A second look at rows, which now stay as they are; each comes with a token for its next owner. */
    private static final String LOCK =
            "SELECT k.*, {now} AS asked_at, NEXTVAL({key}_token) AS next_token FROM {key} k WHERE id IN ";

    private static final String SKIPPING = " FOR UPDATE SKIP LOCKED";

    private static final String INSERT = """
            INSERT IGNORE INTO {key} (token, claimed_at, lease_until, attempt, state,
                digest, nonce, fingerprint, namespace, scope, `key`, operation, trace_id, retention)
            VALUES\s""";

    private static final String ROW = "(NEXTVAL({key}_token), {now}, {now} + ?, 1, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String TAKE = """
            UPDATE {key}
            SET nonce = ?, token = ?, claimed_at = {now}, lease_until = {now} + ?, attempt = ?, fingerprint = ?,
                operation = ?, trace_id = ?, retention = ?, history = ?, steps = ?, state = 0,
                status = NULL, format = NULL, settled_at = NULL, expires_at = NULL, free_at = NULL, purge_at = NULL,
                headers = NULL, body = NULL
            WHERE id = ?""";

    private final String look;
    private final String lock;
    private final String insert;
    private final String row;
    private final String take;

    private MariaDbClaims(TableName table, UnaryOperator<String> statement) {
        look = MariaDbDialect.in(table, LOOK);
        lock = statement.apply(MariaDbDialect.in(table, LOCK));
        insert = statement.apply(MariaDbDialect.in(table, INSERT));
        row = MariaDbDialect.in(table, ROW);
        take = statement.apply(MariaDbDialect.in(table, TAKE));
    }

    static MariaDbClaims ofLane(TableName table) {
        return new MariaDbClaims(table, sql -> MariaDbDialect.withPatience(NO_PATIENCE, sql));
    }

    /** Claims that are part of a transaction of the application. */
    static MariaDbClaims joined(TableName table) {
        return new MariaDbClaims(table, sql -> MariaDbDialect.joined(NO_PATIENCE, sql));
    }

    /** What a batch has found out so far. */
    private static final class Batch {

        final List<ClaimRequest> requests;
        final @Nullable Claim[] answers;
        final Map<KeyDigest, Integer> absent = new HashMap<>();

        /** Rows that can be had, by their ids. */
        final Map<Long, Integer> lapsed = new HashMap<>();

        final Map<Long, Integer> free = new HashMap<>();

        Batch(List<ClaimRequest> requests) {
            this.requests = requests;
            this.answers = new Claim[requests.size()];
            for (int i = 0; i < requests.size(); i++) {
                absent.put(requests.get(i).key().digest(), i);
            }
        }
    }

    /** {@code null} for a key that changed hands meanwhile. Fails if somebody holds a key that is not there yet. */
    List<@Nullable Claim> claim(Connection connection, List<ClaimRequest> requests) throws SQLException {
        return claim(connection, requests, absent -> insert(connection, absent, indexes(absent)));
    }

    /** The same, but {@code null} also for a key that is not there yet and that somebody holds. */
    List<@Nullable Claim> claimUnheld(Connection connection, List<ClaimRequest> requests) throws SQLException {
        return claim(
                connection,
                requests,
                absent -> MariaDbTransaction.run(connection, transaction -> {
                    for (int index : indexes(absent)) {
                        insertUnlessHeld(transaction, absent, index);
                    }
                    return absent;
                }));
    }

    private interface Insert {
        void run(Batch batch) throws SQLException;
    }

    private List<@Nullable Claim> claim(Connection connection, List<ClaimRequest> requests, Insert insert)
            throws SQLException {
        Batch batch = new Batch(requests);
        look(connection, batch);
        if (!batch.absent.isEmpty()) {
            insert.run(batch);
        }
        if (!batch.lapsed.isEmpty() || !batch.free.isEmpty()) {
            MariaDbTransaction.run(
                    connection,
                    transaction -> takeAll(transaction, batch, batch.lapsed) + takeAll(transaction, batch, batch.free));
        }
        return Arrays.asList(batch.answers);
    }

    /** In the order of their digests, as all nodes do: otherwise two batches could wait for each other. */
    private static List<Integer> indexes(Batch absent) {
        return absent.absent.values().stream().sorted().toList();
    }

    private void insertUnlessHeld(Connection connection, Batch batch, int index) throws SQLException {
        try {
            insert(connection, batch, List.of(index));
        } catch (SQLException e) {
            // Ends the statement, and not the transaction.
            if (e.getErrorCode() != MariaDbDialect.LOCK_WAIT_TIMEOUT) {
                throw e;
            }
        }
    }

    private void look(Connection connection, Batch batch) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(look + MariaDbDialect.list(batch.requests.size()))) {
            int next = 1;
            for (ClaimRequest request : batch.requests) {
                statement.setBytes(next++, KeyRow.bytes(request.key().digest()));
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    KeyRow row = new KeyRow(rows, rows.getLong("asked_at"));
                    Integer index = batch.absent.remove(row.digest());
                    if (index == null) {
                        throw new SQLException("a key came back that was not asked for: " + row.digest());
                    }
                    ClaimRequest request = batch.requests.get(index);
                    Change<Claim> change = row.claim(request, NO_TOKEN_YET);
                    StoredKey taken = change.next();
                    if (!change.changed() || taken == null) {
                        batch.answers[index] = change.answer();
                    } else if (taken.attempt() == 1) {
                        batch.free.put(row.id(), index);
                    } else {
                        batch.lapsed.put(row.id(), index);
                        // Stands if a transaction of the application holds the row, and is about to settle the key.
                        batch.answers[index] = new Claim.InFlight(row.age(), Duration.ZERO);
                    }
                }
            }
        }
    }

    private void insert(Connection connection, Batch batch, List<Integer> indexes) throws SQLException {
        String sql = insert + (row + ", ").repeat(indexes.size() - 1) + row + " RETURNING digest, token";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = 1;
            for (int index : indexes) {
                ClaimRequest request = batch.requests.get(index);
                statement.setLong(next++, PostgresKeyTable.micros(request.lease()));
                statement.setBytes(next++, KeyRow.bytes(request.key().digest()));
                statement.setBytes(next++, KeyRow.bytes(request.nonce()));
                statement.setBytes(next++, request.fingerprint().bytes());
                statement.setString(next++, request.key().namespace().toString());
                statement.setString(next++, request.key().scope());
                statement.setString(next++, request.key().value());
                statement.setString(next++, request.operation());
                statement.setString(next++, request.traceId());
                statement.setString(next++, RetentionText.encode(request.retention()));
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    KeyDigest digest = KeyRow.digest(rows.getBytes(1));
                    Integer index = batch.absent.get(digest);
                    if (index != null) {
                        ClaimRequest request = batch.requests.get(index);
                        batch.answers[index] =
                                new Claim.Acquired(new Lease(digest, request.nonce(), rows.getLong(2), 1), Map.of());
                    }
                }
            }
        }
    }

    /** Returns how many were taken. */
    private int takeAll(Connection connection, Batch batch, Map<Long, Integer> rowsById) throws SQLException {
        if (rowsById.isEmpty()) {
            return 0;
        }
        String sql = lock + MariaDbDialect.list(rowsById.size()) + " ORDER BY id" + SKIPPING;
        try (PreparedStatement locked = connection.prepareStatement(sql);
                PreparedStatement taking = connection.prepareStatement(take)) {
            int next = 1;
            for (long id : rowsById.keySet()) {
                locked.setLong(next++, id);
            }
            int taken = 0;
            try (ResultSet rows = locked.executeQuery()) {
                while (rows.next()) {
                    KeyRow row = new KeyRow(rows, rows.getLong("asked_at"));
                    Integer index = rowsById.get(row.id());
                    if (index != null) {
                        batch.answers[index] = take(taking, row, rows.getLong("next_token"), batch.requests.get(index));
                        taken += batch.answers[index] == null ? 0 : 1;
                    }
                }
            }
            if (taken > 0) {
                taking.executeBatch();
            }
            return taken;
        }
    }

    /** Takes a row that is locked, if it can still be had. */
    private static @Nullable Claim take(PreparedStatement taking, KeyRow row, long token, ClaimRequest request)
            throws SQLException {
        Change<Claim> change = row.claim(request, token);
        StoredKey taken = change.next();
        if (!change.changed() || taken == null) {
            return null;
        }
        taking.setBytes(1, KeyRow.bytes(request.nonce()));
        taking.setLong(2, taken.token());
        taking.setLong(3, PostgresKeyTable.micros(request.lease()));
        taking.setInt(4, taken.attempt());
        taking.setBytes(5, request.fingerprint().bytes());
        taking.setString(6, request.operation());
        taking.setString(7, request.traceId());
        taking.setString(8, RetentionText.encode(request.retention()));
        taking.setString(9, HistoryLines.encode(taken.history()));
        taking.setBytes(10, Steps.encode(taken.steps()));
        taking.setLong(11, row.id());
        taking.addBatch();
        return change.answer();
    }
}
