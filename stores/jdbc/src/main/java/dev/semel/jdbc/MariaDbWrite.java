package dev.semel.jdbc;

import dev.semel.spi.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/**
 * One kind of write of attempts: an update of a row that still carries a lease, for one lease or for many in one
 * statement, which costs a fraction of as many statements.
 */
final class MariaDbWrite {

    /** What a statement may hold of values that can be large; above it they go one by one, in one commit. */
    private static final int MOST_BYTES = 1 << 20;

    private final String one;
    private final String many;
    private final String row;
    private final String manyEnd;
    private final String done;

    /**
     * @param set what is set, with a {@code ?} for each parameter
     * @param when which rows may be written to, beside that they carry the lease
     * @param done what is true of a row that this write has been made to
     * @param statement adds how it waits for somebody who holds a row
     */
    MariaDbWrite(TableName table, String set, String when, String done, UnaryOperator<String> statement) {
        StringBuilder columns = new StringBuilder();
        StringBuilder joined = new StringBuilder();
        int parameters = 0;
        for (char c : set.toCharArray()) {
            if (c == '?') {
                parameters++;
                joined.append("u.p").append(parameters);
                columns.append('p').append(parameters).append(", ");
            } else {
                joined.append(c);
            }
        }
        this.one = statement.apply(
                MariaDbDialect.in(table, "UPDATE {key} SET " + set + MariaDbKeyTable.OWNED + " AND " + when));
        this.many = statement.apply(
                MariaDbDialect.in(table, "UPDATE {key} k JOIN (WITH u(" + columns + "d, n, t) AS (VALUES "));
        this.row = MariaDbDialect.list(parameters + 3);
        this.manyEnd = MariaDbDialect.in(
                table,
                ") SELECT * FROM u) u ON k.digest = u.d SET " + joined + " WHERE k.nonce = u.n AND k.token = u.t AND "
                        + when);
        this.done = statement.apply(
                MariaDbDialect.in(table, "SELECT digest, nonce, token FROM {key} WHERE " + done + " AND digest IN "));
    }

    /** Binds the parameters from an index on, and returns the next free one. */
    interface Binder<Q> {
        int bind(PreparedStatement statement, int first, Q request) throws SQLException;
    }

    /** Writes, and where a write changed no row, looks whether it has been made before. */
    <Q> boolean[] run(
            Connection connection, List<Q> requests, Function<Q, Lease> lease, ToIntFunction<Q> bytes, Binder<Q> binder)
            throws SQLException {
        boolean[] held = new boolean[requests.size()];
        long total = 0;
        for (Q request : requests) {
            total += bytes.applyAsInt(request);
        }
        boolean all;
        if (requests.size() == 1) {
            all = writeOne(connection, requests.get(0), lease, binder);
        } else if (total > MOST_BYTES) {
            all = MariaDbTransaction.run(connection, transaction -> {
                boolean each = true;
                for (Q request : requests) {
                    each &= writeOne(transaction, request, lease, binder);
                }
                return each;
            });
        } else {
            all = writeMany(connection, requests, lease, binder);
        }
        if (all) {
            Arrays.fill(held, true);
        } else {
            look(connection, requests, lease, held);
        }
        return held;
    }

    private <Q> boolean writeOne(Connection connection, Q request, Function<Q, Lease> lease, Binder<Q> binder)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(one)) {
            bind(statement, binder.bind(statement, 1, request), lease.apply(request));
            return statement.executeUpdate() == 1;
        }
    }

    private <Q> boolean writeMany(Connection connection, List<Q> requests, Function<Q, Lease> lease, Binder<Q> binder)
            throws SQLException {
        String sql = many + (row + ", ").repeat(requests.size() - 1) + row + manyEnd;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = 1;
            for (Q request : requests) {
                next = bind(statement, binder.bind(statement, next, request), lease.apply(request));
            }
            return statement.executeUpdate() == requests.size();
        }
    }

    private <Q> void look(Connection connection, List<Q> requests, Function<Q, Lease> lease, boolean[] held)
            throws SQLException {
        // In a transaction of the application, what is there now and not what was there when it began.
        String sql =
                done + MariaDbDialect.list(held.length) + (connection.getAutoCommit() ? "" : " LOCK IN SHARE MODE");
        Set<List<Object>> found = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < held.length; i++) {
                statement.setBytes(
                        i + 1, KeyRow.bytes(lease.apply(requests.get(i)).digest()));
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(
                            List.of(KeyRow.digest(rows.getBytes(1)), KeyRow.digest(rows.getBytes(2)), rows.getLong(3)));
                }
            }
        }
        for (int i = 0; i < held.length; i++) {
            Lease each = lease.apply(requests.get(i));
            held[i] = found.contains(List.of(each.digest(), KeyRow.digest(KeyRow.bytes(each.nonce())), each.token()));
        }
    }

    static int bind(PreparedStatement statement, int first, Lease lease) throws SQLException {
        statement.setBytes(first, KeyRow.bytes(lease.digest()));
        statement.setBytes(first + 1, KeyRow.bytes(lease.nonce()));
        statement.setLong(first + 2, lease.token());
        return first + 3;
    }
}
