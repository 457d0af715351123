package dev.semel.jdbc;

import dev.semel.KeyDigest;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.RetentionText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Claims in MariaDB: one look at all keys of a batch, one statement that inserts those that are not there, and one
 * transaction that takes over those that are free or lapsed.
 *
 * <p>No statement depends on the isolation level: what is decided is decided by a unique index, or again by the rows once
 * they are locked.
 */
final class MariaDbClaims {

    /** Longer than any commit takes: whoever holds a key longer is a transaction of the application. */
    static final int LANE_PATIENCE = 1;

    /** A transaction of the application never waits for another one. */
    static final int JOINED_PATIENCE = 0;

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

    MariaDbClaims(TableName table) {
        look = MariaDbDialect.in(table, LOOK);
        lock = MariaDbDialect.in(table, LOCK);
        insert = MariaDbDialect.in(table, INSERT);
        row = MariaDbDialect.in(table, ROW);
        take = MariaDbDialect.in(table, TAKE);
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

    /** {@code null} for a key that changed hands meanwhile. */
    List<@Nullable Claim> claim(Connection connection, List<ClaimRequest> requests, int patience) throws SQLException {
        Batch batch = new Batch(requests);
        look(connection, batch);
        if (!batch.absent.isEmpty()) {
            insert(connection, batch, patience);
        }
        if (!batch.lapsed.isEmpty() || !batch.free.isEmpty()) {
            // A purge, or another node that wants the same free key, is done in a moment.
            String forFree = patience == 0 ? SKIPPING : " FOR UPDATE WAIT " + patience;
            MariaDbTransaction.run(
                    connection,
                    transaction -> takeAll(transaction, batch, batch.lapsed, SKIPPING)
                            + takeAll(transaction, batch, batch.free, forFree));
        }
        return Arrays.asList(batch.answers);
    }

    /** What can be said of a key without waiting; {@code null} if it can be had. */
    @Nullable
    Claim look(Connection connection, ClaimRequest request) throws SQLException {
        Batch batch = new Batch(List.of(request));
        look(connection, batch);
        return batch.answers[0];
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
                    if (row.isFree()) {
                        batch.free.put(row.id(), index);
                    } else if (row.isOwnPending(request)) {
                        batch.answers[index] = row.acquired(request);
                    } else if (row.isLapsed() && request.takeOver() && row.matches(request)) {
                        batch.lapsed.put(row.id(), index);
                        // Stands if a transaction of the application holds the row, and is about to settle the key.
                        batch.answers[index] = new Claim.InFlight(row.age(), Duration.ZERO);
                    } else {
                        batch.answers[index] = row.refusal(request);
                    }
                }
            }
        }
    }

    private void insert(Connection connection, Batch batch, int patience) throws SQLException {
        List<Integer> indexes = new ArrayList<>(batch.absent.values());
        // In the order of their digests, as all nodes do: otherwise two batches could wait for each other.
        Collections.sort(indexes);
        String sql = insert + (row + ", ").repeat(indexes.size() - 1) + row + " RETURNING digest, token";
        try (PreparedStatement statement = connection.prepareStatement(MariaDbDialect.withPatience(patience, sql))) {
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
    private int takeAll(Connection connection, Batch batch, Map<Long, Integer> rowsById, String locking)
            throws SQLException {
        if (rowsById.isEmpty()) {
            return 0;
        }
        String sql = lock + MariaDbDialect.list(rowsById.size()) + " ORDER BY id" + locking;
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
        boolean free = row.isFree();
        if (!free && !(row.isLapsed() && request.takeOver() && row.matches(request))) {
            return null;
        }
        int attempt = free ? 1 : row.attempt() + 1;
        byte[] steps = free ? null : row.steps();
        taking.setBytes(1, KeyRow.bytes(request.nonce()));
        taking.setLong(2, token);
        taking.setLong(3, PostgresKeyTable.micros(request.lease()));
        taking.setInt(4, attempt);
        taking.setBytes(5, request.fingerprint().bytes());
        taking.setString(6, request.operation());
        taking.setString(7, request.traceId());
        taking.setString(8, RetentionText.encode(request.retention()));
        taking.setString(9, free ? null : row.noted("taken over", "lease lapsed at " + row.leaseEnd()));
        taking.setBytes(10, steps);
        taking.setLong(11, row.id());
        taking.addBatch();
        return new Claim.Acquired(
                new Lease(request.key().digest(), request.nonce(), token, attempt), Steps.decode(steps));
    }
}
