package dev.semel.jdbc.innodb;

import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.Statements;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.dialect.Transactions;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.jdbc.row.OwnerWrite;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.life.Change;
import dev.semel.spi.life.KeyLife;
import dev.semel.spi.life.RetentionText;
import dev.semel.spi.life.StoredKey;
import dev.semel.util.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Claims in MariaDB and MySQL: one look at all keys of a batch, one statement that inserts those that are not there, and one
 * transaction that takes over those that are free or lapsed.
 *
 * <p>No statement depends on the isolation level: what is decided is decided by a unique index, or again by the rows once
 * they are locked.
 */
abstract class InnoDbClaims {

    /** A read only finds out which keys are available; a claim gets its token when the row is locked. */
    static final long NO_TOKEN_YET = 1;

    private static final String LOOK = "SELECT k.*, {now} AS asked_at FROM {key} k WHERE digest IN ";

    /** Follows {@code INSERT IGNORE}. The token and {@link #VALUES} come next, for each row. */
    static final String INSERT = """
            INSERT IGNORE INTO {key} (token, claimed_at, lease_until, attempt, state,
                digest, nonce, fingerprint, namespace, scope, `key`, operation, trace_id, retention)
            VALUES\s""";

    static final String VALUES = ", {now}, {now} + ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private final TableName table;
    private final String look;
    private final String lock;

    /** @param lock what selects rows by their ids, up to the list; {@code next_token} is for a next owner */
    InnoDbClaims(TableName table, String lock) {
        this.table = table;
        this.lock = lock;
        this.look = InnoDbDialect.in(table, LOOK);
    }

    /** The rows that a batch has found so far. */
    static final class Batch {

        final List<ClaimRequest> requests;
        final @Nullable Claim[] answers;
        final Map<KeyDigest, Integer> absent = new HashMap<>();

        /** Available rows, by their ids. */
        final Map<Long, Integer> lapsed = new HashMap<>();

        final Map<Long, Integer> free = new HashMap<>();

        Batch(List<ClaimRequest> requests) {
            this.requests = requests;
            this.answers = new Claim[requests.size()];
            for (int i = 0; i < requests.size(); i++) {
                absent.put(requests.get(i).key().digest(), i);
            }
        }

        /**
         * The missing keys, in the order of their digests on every node, because two batches could otherwise wait for
         * each other.
         */
        List<Integer> absentIndexes() {
            return absent.values().stream().sorted().toList();
        }

        void acquired(int index, long token) {
            answers[index] = KeyLife.claim(null, requests.get(index), OwnerWrite.RELATIVE, token)
                    .answer();
        }
    }

    /** Answers claims of existing keys if possible, and claims the missing ones. */
    abstract void lookAndInsert(Connection connection, Batch batch) throws SQLException;

    /** The same, but leaves out new keys that another transaction holds. */
    abstract void lookAndInsertUnheld(Connection connection, Batch batch) throws SQLException;

    /** {@code null} for a key that changed hands meanwhile, and perhaps for a locked one. */
    final List<@Nullable Claim> claim(Connection connection, List<ClaimRequest> requests) throws SQLException {
        Batch batch = new Batch(requests);
        lookAndInsert(connection, batch);
        return take(connection, batch);
    }

    /** {@code null} also for a new key that another transaction holds. */
    final List<@Nullable Claim> claimUnheld(Connection connection, List<ClaimRequest> requests) throws SQLException {
        Batch batch = new Batch(requests);
        lookAndInsertUnheld(connection, batch);
        return take(connection, batch);
    }

    /** Decides on the existing keys, and removes them from the absent ones. */
    final void look(Connection connection, Batch batch, Collection<KeyDigest> digests) throws SQLException {
        String sql = look + InnoDbDialect.list(digests.size());
        Statements.PLAIN.all(
                connection,
                sql,
                found -> {
                    KeyRow row = new KeyRow(found, found.getLong("asked_at"));
                    Integer index = batch.absent.remove(row.digest());
                    if (index == null) {
                        throw new SQLException("the server returned a key that was not requested: " + row.digest());
                    }
                    look(batch, index, row);
                    return index;
                },
                digests.stream().map(KeyRow::bytes).toArray());
    }

    private static void look(Batch batch, int index, KeyRow row) throws SQLException {
        StoredKey key = row.key();
        Change<Claim> change = KeyLife.claim(key, batch.requests.get(index), row.moment(), NO_TOKEN_YET);
        StoredKey taken = change.next();
        if (!change.changed() || taken == null) {
            batch.answers[index] = change.answer();
        } else if (key == null || taken.attempt() == 1) {
            batch.free.put(row.id(), index);
        } else {
            batch.lapsed.put(row.id(), index);
            // Stands if a transaction of the application holds the row, and is about to settle the key.
            batch.answers[index] = new Claim.InFlight(row.moment().since(key.claimedAt()), Duration.ZERO);
        }
    }

    /** Binds what follows the token of a new row, and returns the next free index. */
    static int bind(PreparedStatement statement, int first, ClaimRequest request) throws SQLException {
        StoredKey claimed =
                KeyLife.claim(null, request, OwnerWrite.RELATIVE, NO_TOKEN_YET).next();
        if (claimed == null) {
            throw new IllegalStateException("a claim leaves a key");
        }
        int next = first;
        statement.setLong(next++, Micros.of(claimed.leaseUntil()));
        statement.setInt(next++, claimed.attempt());
        statement.setBytes(next++, KeyRow.bytes(claimed.key().digest()));
        statement.setBytes(next++, KeyRow.bytes(claimed.nonce()));
        statement.setBytes(next++, claimed.fingerprint().bytes());
        statement.setString(next++, claimed.key().namespace().toString());
        statement.setString(next++, claimed.key().scope());
        statement.setString(next++, claimed.key().value());
        statement.setString(next++, claimed.operation());
        statement.setString(next++, claimed.traceId());
        statement.setString(next++, RetentionText.encode(claimed.retention()));
        return next;
    }

    private List<@Nullable Claim> take(Connection connection, Batch batch) throws SQLException {
        if (!batch.lapsed.isEmpty() || !batch.free.isEmpty()) {
            Transactions.join(connection, transaction -> {
                takeAll(transaction, batch, batch.lapsed);
                takeAll(transaction, batch, batch.free);
                return batch;
            });
        }
        return Arrays.asList(batch.answers);
    }

    /** A second look at rows, which now stay as they are. */
    private void takeAll(Connection connection, Batch batch, Map<Long, Integer> rowsById) throws SQLException {
        if (rowsById.isEmpty()) {
            return;
        }
        List<Long> ids = new ArrayList<>(rowsById.keySet());
        try (PreparedStatement locked = connection.prepareStatement(
                        lock + InnoDbDialect.list(ids.size()) + " ORDER BY id FOR UPDATE SKIP LOCKED");
                InnoDbRowWrites writes = new InnoDbRowWrites(connection, table)) {
            for (int i = 0; i < ids.size(); i++) {
                locked.setLong(i + 1, ids.get(i));
            }
            try (ResultSet rows = locked.executeQuery()) {
                while (rows.next()) {
                    KeyRow row = new KeyRow(rows, rows.getLong("asked_at"));
                    Integer index = rowsById.get(row.id());
                    if (index != null) {
                        batch.answers[index] = take(writes, row, rows.getLong("next_token"), batch.requests.get(index));
                    }
                }
            }
            writes.send();
        }
    }

    /** Takes a row that is locked, if it can still be had. */
    private static @Nullable Claim take(InnoDbRowWrites writes, KeyRow row, long token, ClaimRequest request)
            throws SQLException {
        StoredKey key = row.key();
        Change<Claim> change = KeyLife.claim(key, request, row.moment(), token);
        if (!change.changed()) {
            return null;
        }
        writes.add(row.id(), key, change.next());
        return change.answer();
    }
}
