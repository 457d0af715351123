package dev.semel.jdbc.innodb;

import static dev.semel.jdbc.dialect.Statements.PLAIN;

import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.dialect.Transactions;
import dev.semel.spi.Purging.Purged;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Removes records that have outlived their retention, by walking the rows in the order of their ids, in circles.
 *
 * <p>A delete with a condition would lock every row that it passes. So the rows are looked for without locks, and those
 * that are found are locked if they are free, and read again.
 */
final class InnoDbPurge {

    private static final int STRETCH = 10_000;

    /** The most ids that one call looks at. */
    private static final int BUDGET = 200_000;

    private static final String OVER = "state >= 2 AND purge_at <= {now} AND (state < 4 OR token <= {now} - {grace})";

    private final TableName table;
    private final String search;
    private final String lock;
    private final String forget;
    private final AtomicLong position = new AtomicLong();

    /** @param tokenGrace how old the last token of a key has to be before its row may go, in microseconds */
    InnoDbPurge(TableName table, long tokenGrace) {
        this.table = table;
        String over = InnoDbDialect.in(table, OVER).replace("{grace}", Long.toString(tokenGrace));
        this.search = table.in("SELECT id FROM {key} WHERE id > ? AND id <= ? AND " + over + " ORDER BY id LIMIT ?");
        this.lock = InnoDbDialect.in(
                table,
                "SELECT id, state < 4 AS counts, token <= {now} - " + tokenGrace + " AS may_go FROM {key}"
                        + " FORCE INDEX (PRIMARY) WHERE " + over + " AND id IN ");
        this.forget = InnoDbDialect.in(table, "UPDATE {key} SET " + InnoDbRowWrites.FORGOTTEN + " WHERE id IN ");
    }

    Purged purge(Connection connection, int limit) throws SQLException {
        InnoDbIdRange ids = InnoDbIdRange.of(connection, table);
        long budget = Math.min(ids.span(), BUDGET);
        long walked = 0;
        long written = 0;
        long removed = 0;
        while (walked < budget && written < limit) {
            long after = position.get();
            if (after < ids.first() - 1 || after >= ids.last()) {
                after = ids.first() - 1;
            }
            long end = Math.min(Math.min(ids.last(), after + STRETCH), after + budget - walked);
            List<Long> found = search(connection, after, end, (int) (limit - written));
            Locked locked = found.isEmpty() ? Locked.NONE : remove(connection, found);
            written += locked.gone().size() + locked.forgotten().size();
            removed += locked.keys();
            if (written < limit) {
                position.set(end);
                walked += end - after;
            }
        }
        return new Purged(removed, written == limit || (written > 0 && walked < ids.span()));
    }

    /**
     * Rows that are over.
     *
     * @param keys how many of them hold a key, and not only the token of one
     * @param gone whose tokens are old enough to be given again
     * @param forgotten whose tokens have to stay for some time
     */
    private record Locked(int keys, List<Long> gone, List<Long> forgotten) {

        static final Locked NONE = new Locked(0, List.of(), List.of());
    }

    private List<Long> search(Connection connection, long after, long end, int limit) throws SQLException {
        return PLAIN.all(connection, search, row -> row.getLong(1), after, end, limit);
    }

    private Locked remove(Connection connection, List<Long> found) throws SQLException {
        return Transactions.join(connection, transaction -> {
            Locked locked = lock(transaction, found);
            if (!locked.gone().isEmpty()) {
                String delete = table.in("DELETE FROM {key} WHERE id IN ")
                        + InnoDbDialect.list(locked.gone().size());
                PLAIN.update(transaction, delete, locked.gone().toArray());
            }
            if (!locked.forgotten().isEmpty()) {
                List<Object> values = new ArrayList<>(locked.forgotten());
                values.add(0, InnoDbRowWrites.NO_FINGERPRINT);
                PLAIN.update(transaction, forget + InnoDbDialect.list(values.size() - 1), values.toArray());
            }
            return locked;
        });
    }

    private Locked lock(Connection connection, List<Long> found) throws SQLException {
        String sql = lock + InnoDbDialect.list(found.size()) + " ORDER BY id FOR UPDATE SKIP LOCKED";
        List<Long> gone = new ArrayList<>();
        List<Long> forgotten = new ArrayList<>();
        List<Boolean> keys = PLAIN.all(
                connection,
                sql,
                row -> {
                    (row.getBoolean("may_go") ? gone : forgotten).add(row.getLong("id"));
                    return row.getBoolean("counts");
                },
                found.toArray());
        return new Locked(Collections.frequency(keys, true), gone, forgotten);
    }
}
