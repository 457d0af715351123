package dev.semel.jdbc.innodb;

import static dev.semel.jdbc.dialect.Statements.PLAIN;

import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.dialect.Transactions;
import dev.semel.jdbc.row.KeyColumns;
import dev.semel.jdbc.row.KeyDecision;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.jdbc.row.OwnerWrite;
import dev.semel.spi.life.Change;
import dev.semel.spi.life.Moment;
import dev.semel.spi.life.StoredKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The rows of keys, each locked, decided on by the state machine, and written whole. */
record InnoDbRows(TableName table, UnaryOperator<String> patience) {

    /**
     * Locks rows in the order of their digests, as all nodes do: otherwise two transactions could wait for each other.
     */
    private static final String LOCK =
            "SELECT k.*, {now} AS asked_at FROM {key} k FORCE INDEX ({name}_digest) WHERE digest IN %s ORDER BY digest"
                    + " FOR UPDATE";

    private static final int ROUNDS = 3;

    /** Fails immediately if one of the rows is locked. */
    static InnoDbRows ofLane(TableName table) {
        return new InnoDbRows(table, sql -> sql + " NOWAIT");
    }

    /** As part of a transaction of the application. */
    static InnoDbRows joined(TableName table, InnoDbDialect dialect) {
        return new InnoDbRows(table, dialect::joined);
    }

    /** Waits for a locked row as long as the session does. */
    static InnoDbRows patient(TableName table) {
        return new InnoDbRows(table, UnaryOperator.identity());
    }

    /** Makes requests of attempts on their keys, in one commit. */
    <Q> boolean[] change(
            Connection connection, List<Q> requests, Function<Q, KeyDigest> digest, KeyDecision<Q, Boolean> decision)
            throws SQLException {
        return Transactions.join(connection, transaction -> {
            Map<KeyDigest, Boolean> answers = changeRows(transaction, requests, digest, decision);
            boolean[] all = new boolean[requests.size()];
            for (int i = 0; i < all.length; i++) {
                Q request = requests.get(i);
                Boolean answer = answers.get(digest.apply(request));
                all[i] = answer != null
                        ? answer
                        : decision.on(null, request, OwnerWrite.RELATIVE).answer();
            }
            return all;
        });
    }

    /** Makes a request on a key that need not be there. */
    <Q> boolean change(Connection connection, KeyDigest digest, Q request, KeyDecision<Q, Boolean> decision)
            throws SQLException {
        for (int round = 0; round < ROUNDS; round++) {
            Boolean answer = Transactions.join(
                            connection,
                            transaction -> changeRows(transaction, List.of(request), asked -> digest, decision))
                    .get(digest);
            if (answer != null) {
                return answer;
            }
            Change<Boolean> change = decision.on(null, request, now(connection));
            StoredKey next = change.next();
            if (!change.changed() || next == null || insert(connection, next)) {
                return change.answer();
            }
        }
        throw new SQLException("key " + digest + " changed hands while it was written", "40001");
    }

    private <Q> Map<KeyDigest, Boolean> changeRows(
            Connection connection, List<Q> requests, Function<Q, KeyDigest> digest, KeyDecision<Q, Boolean> decision)
            throws SQLException {
        Map<KeyDigest, Q> asked = new HashMap<>();
        Map<KeyDigest, Boolean> answers = new HashMap<>();
        requests.forEach(request -> asked.put(digest.apply(request), request));
        String sql = patience.apply(InnoDbDialect.in(table, String.format(LOCK, InnoDbDialect.list(asked.size()))));
        try (PreparedStatement lock = connection.prepareStatement(sql);
                InnoDbRowWrites writes = new InnoDbRowWrites(connection, table)) {
            int index = 1;
            for (KeyDigest each : asked.keySet()) {
                lock.setBytes(index++, KeyRow.bytes(each));
            }
            try (ResultSet rows = lock.executeQuery()) {
                while (rows.next()) {
                    KeyRow row = new KeyRow(rows, rows.getLong("asked_at"));
                    Q request = asked.get(row.digest());
                    if (request == null) {
                        throw new SQLException("the server returned a key that was not requested: " + row.digest());
                    }
                    StoredKey key = row.key();
                    Change<Boolean> change = decision.on(key, request, row.moment());
                    if (change.changed()) {
                        writes.add(row.id(), key, change.next());
                    }
                    answers.put(row.digest(), change.answer());
                }
            }
            writes.send();
        }
        return answers;
    }

    private boolean insert(Connection connection, StoredKey key) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(table.in("INSERT IGNORE" + KeyColumns.INSERT))) {
            KeyColumns.bindInsert(insert, key);
            return insert.executeUpdate() == 1;
        }
    }

    static Moment now(Connection connection) throws SQLException {
        return PLAIN.one(connection, "SELECT " + InnoDbDialect.NOW, row -> KeyRow.moment(row.getLong(1)));
    }
}
