package dev.semel.jdbc.innodb;

import static dev.semel.jdbc.dialect.Statements.PLAIN;

import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.row.KeyRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Claims in MySQL. An insert here waits for an uncommitted row with the same key for a second at least, and everybody in its
 * batch with it. So a claim first looks which keys have a row, committed or not, and inserts only those that have none.
 *
 * <p>A token is the time of that look, in microseconds, or one more than the last token in the row.
 */
final class MySqlClaims extends InnoDbClaims {

    private static final String IMPATIENT =
            "SET @semel_patience = @@innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = 1";

    private static final String AS_BEFORE = "SET SESSION innodb_lock_wait_timeout = @semel_patience";

    /**
     * The next statement sees what is not committed, for its own transaction alone. Those after it lock no gaps between rows:
     * two batches that find some of their keys taken would wait for each other.
     */
    private static final String SEEING_ALL = ", @semel_isolation = @@transaction_isolation,"
            + " SESSION transaction_isolation = 'READ-COMMITTED', @@transaction_isolation = 'READ-UNCOMMITTED'";

    private static final String ISOLATED_AS_BEFORE = ", SESSION transaction_isolation = @semel_isolation";

    private static final String NAMES =
            "SELECT t.now, k.digest FROM (SELECT {now} AS now) t LEFT JOIN {key} k ON k.digest IN ";

    private static final String LOCK =
            "SELECT k.*, {now} AS asked_at, GREATEST({now}, token + 1) AS next_token FROM {key} k"
                    + " FORCE INDEX (PRIMARY) WHERE id IN ";

    private static final String FIND_OWN = "SELECT digest, nonce, token FROM {key} WHERE digest IN ";

    private final String before;
    private final String after;
    private final String names;
    private final String insert;
    private final String row;
    private final String findOwn;

    MySqlClaims(TableName table, boolean joined) {
        super(table, InnoDbDialect.in(table, LOCK));
        before = joined ? IMPATIENT : IMPATIENT + SEEING_ALL;
        after = joined ? AS_BEFORE : AS_BEFORE + ISOLATED_AS_BEFORE;
        names = InnoDbDialect.in(table, NAMES);
        insert = table.in(INSERT);
        row = InnoDbDialect.in(table, "(?" + VALUES);
        findOwn = table.in(FIND_OWN);
    }

    @Override
    void lookAndInsertUnheld(Connection connection, Batch batch) throws SQLException {
        lookAndInsert(connection, batch);
    }

    /** Leaves out a locked key, unless its row has come in between the look and the insert. */
    @Override
    void lookAndInsert(Connection connection, Batch batch) throws SQLException {
        execute(connection, before);
        try {
            lookAndInsertAtOnce(connection, batch);
        } catch (SQLException | RuntimeException | Error e) {
            try {
                execute(connection, after);
            } catch (SQLException lost) {
                // The session ends with its connection.
                e.addSuppressed(lost);
            }
            throw e;
        }
        execute(connection, after);
    }

    private void lookAndInsertAtOnce(Connection connection, Batch batch) throws SQLException {
        Set<KeyDigest> named = new HashSet<>();
        long now = names(connection, batch.absent.keySet(), named);
        if (!named.isEmpty()) {
            look(connection, batch, named);
            // Those that are still absent belong to transactions that are under way.
            batch.absent.keySet().removeAll(named);
        }
        if (!batch.absent.isEmpty()) {
            insert(connection, batch, now);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Finds out which keys have rows, and returns the time. */
    private long names(Connection connection, Collection<KeyDigest> digests, Set<KeyDigest> named) throws SQLException {
        List<Long> times = PLAIN.all(
                connection,
                names + InnoDbDialect.list(digests.size()),
                row -> {
                    byte[] digest = row.getBytes(2);
                    if (digest != null) {
                        named.add(KeyRow.digest(digest));
                    }
                    return row.getLong(1);
                },
                digests.stream().map(KeyRow::bytes).toArray());
        return times.get(0);
    }

    private void insert(Connection connection, Batch batch, long token) throws SQLException {
        List<Integer> indexes = batch.absentIndexes();
        String sql = insert + (row + ", ").repeat(indexes.size() - 1) + row;
        int inserted;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = 1;
            for (int index : indexes) {
                statement.setLong(next, token);
                next = bind(statement, next + 1, batch.requests.get(index));
            }
            inserted = statement.executeUpdate();
        }
        if (inserted == indexes.size()) {
            indexes.forEach(index -> batch.acquired(index, token));
        } else {
            findOwn(connection, batch, indexes);
        }
    }

    /** Some rows were there by then: perhaps of other attempts, perhaps of a copy of the same claim. */
    private void findOwn(Connection connection, Batch batch, List<Integer> indexes) throws SQLException {
        PLAIN.all(
                connection,
                findOwn + InnoDbDialect.list(indexes.size()),
                row -> {
                    Integer index = batch.absent.get(KeyRow.digest(row.getBytes(1)));
                    UUID nonce = KeyRow.digest(row.getBytes(2)).asUuid();
                    if (index != null && nonce.equals(batch.requests.get(index).nonce())) {
                        batch.acquired(index, row.getLong(3));
                    }
                    return true;
                },
                indexes.stream()
                        .map(index ->
                                KeyRow.bytes(batch.requests.get(index).key().digest()))
                        .toArray());
    }
}
