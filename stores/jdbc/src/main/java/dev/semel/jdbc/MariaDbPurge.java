package dev.semel.jdbc;

import dev.semel.spi.Purging.Purged;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Removes what has outlived its retention, by walking the rows in the order of their ids, in circles.
 *
 * <p>A delete with a condition would lock every row that it passes. So the rows are looked for without locks, and those
 * that are found are locked if nobody else holds them, and looked at again.
 */
final class MariaDbPurge {

    private static final int STRETCH = 10_000;

    /** The most ids that one call looks at. */
    private static final int BUDGET = 200_000;

    private static final String OVER = "state >= 2 AND purge_at <= {now}";

    private final TableName table;
    private final String search;
    private final String lock;
    private final AtomicLong position = new AtomicLong();

    MariaDbPurge(TableName table) {
        this.table = table;
        this.search = MariaDbDialect.in(
                table, "SELECT id FROM {key} WHERE id > ? AND id <= ? AND " + OVER + " ORDER BY id LIMIT ?");
        this.lock = MariaDbDialect.in(table, "SELECT id FROM {key} WHERE " + OVER + " AND id IN ");
    }

    Purged purge(Connection connection, int limit) throws SQLException {
        MariaDbIds ids = MariaDbIds.of(connection, table);
        long budget = Math.min(ids.span(), BUDGET);
        long walked = 0;
        long removed = 0;
        while (walked < budget && removed < limit) {
            long after = position.get();
            if (after < ids.first() - 1 || after >= ids.last()) {
                after = ids.first() - 1;
            }
            long end = Math.min(Math.min(ids.last(), after + STRETCH), after + budget - walked);
            List<Long> found = search(connection, after, end, (int) (limit - removed));
            removed += found.isEmpty() ? 0 : remove(connection, found);
            if (removed < limit) {
                position.set(end);
                walked += end - after;
            }
        }
        return new Purged(removed, removed == limit || (removed > 0 && walked < ids.span()));
    }

    private List<Long> search(Connection connection, long after, long end, int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(search)) {
            statement.setLong(1, after);
            statement.setLong(2, end);
            statement.setInt(3, limit);
            return ids(statement);
        }
    }

    private int remove(Connection connection, List<Long> found) throws SQLException {
        return MariaDbTransaction.run(connection, transaction -> {
            List<Long> locked;
            String sql = lock + MariaDbDialect.list(found.size()) + " ORDER BY id FOR UPDATE SKIP LOCKED";
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                bind(statement, found);
                locked = ids(statement);
            }
            if (locked.isEmpty()) {
                return 0;
            }
            String delete = table.in("DELETE FROM {key} WHERE id IN ") + MariaDbDialect.list(locked.size());
            try (PreparedStatement statement = connection.prepareStatement(delete)) {
                bind(statement, locked);
                return statement.executeUpdate();
            }
        });
    }

    private static void bind(PreparedStatement statement, List<Long> ids) throws SQLException {
        for (int i = 0; i < ids.size(); i++) {
            statement.setLong(i + 1, ids.get(i));
        }
    }

    private static List<Long> ids(PreparedStatement statement) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }
}
