package dev.semel.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties the slots that new keys no longer go to, each when nothing in it is needed any more.
 *
 * <p>Pending and unknown keys, and some that are kept for much longer than most, are carried to where new keys go. No key
 * of a closed slot ever becomes needed again. So what one look at all of it has found is all that there is to carry.
 */
final class PostgresOldSlots {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresOldSlots.class);

    /** At most one in so many keys is carried, so that the others need no longer be kept. */
    private static final long CARRIED_OF = 64;

    /** The same when new keys should have gone elsewhere long ago, but there is no empty slot. */
    private static final long CARRIED_OF_IF_FULL = 2;

    /** So many keys are carried in any case. */
    private static final long FEW_KEYS = 1000;

    private static final int AT_ONCE = 500;
    private static final int MOST_IN_A_TURN = 100_000;
    private static final long SAMPLED_BLOCKS = 256;
    private static final Duration LONGEST_SCAN = Duration.ofHours(1);

    /** A lock was not to be had in time, a deadlock, a row that changed under a snapshot. */
    private static final Set<String> IN_USE = Set.of("55P03", "40P01", "40001");

    private static final String NEEDED = "(k.state IN (0, 1)"
            + " OR k.state IN (2, 3) AND greatest(k.purge_at, k.expires_at, k.free_at) > clock_timestamp())";

    private static final String CLOSED =
            "SELECT slot, closed FROM {key}_slot WHERE look_at <= clock_timestamp() AND closed IS NOT NULL ORDER BY closed";

    /** The node that changes the time is the one that looks. */
    private static final String POSTPONE = """
            UPDATE {key}_slot
            SET look_at = clock_timestamp() + ? * interval '1 microsecond'
            WHERE slot = ? AND closed = ? AND look_at <= clock_timestamp()""";

    private static final String LOOK_SOON =
            "UPDATE {key}_slot SET look_at = clock_timestamp() + interval '1 second' WHERE slot = ? AND closed = ?";

    private static final String COUNT = "SELECT count(*), count(*) FILTER (WHERE " + NEEDED
            + "), count(*) FILTER (WHERE k.state IN (2, 3) AND NOT " + NEEDED + ") FROM {key} k %s";
    private static final String LIST =
            "SELECT k.digest FROM {key} k WHERE " + NEEDED + " ORDER BY k.digest LIMIT " + MOST_IN_A_TURN;

    private final TableName table;
    private final Duration betweenLooks;
    private final @Nullable PostgresAudit audit;

    /** The turns in which slots were closed that can be emptied, and how many keys go with them. */
    private final Map<Long, Long> unneeded = new HashMap<>();

    PostgresOldSlots(TableName table, @Nullable Duration rotateEvery, @Nullable PostgresAudit audit) {
        this.table = table;
        this.audit = audit;
        this.betweenLooks = rotateEvery == null
                ? Duration.ofMinutes(15)
                : rotateEvery.dividedBy(8).plusMillis(1);
    }

    private record Closed(int slot, long turn) {}

    private record Count(long rows, long needed, long outlived) {

        boolean isMostlyUnneeded(boolean full) {
            return needed <= Math.max(FEW_KEYS, rows / (full ? CARRIED_OF_IF_FULL : CARRIED_OF));
        }
    }

    /**
     * Empties the oldest slot that can be emptied.
     *
     * @param full whether one has been wanted for long, and there is none that is empty
     * @return how many keys are gone with it, or a negative number if none was emptied
     */
    long emptyOne(Connection connection, boolean full) throws SQLException {
        int networkTimeout = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(LONGEST_SCAN.toMillis()));
        try {
            for (Closed closed : closed(connection)) {
                long emptied = postpone(connection, closed) ? emptyUnlessInUse(connection, closed, full) : -1;
                if (emptied >= 0) {
                    return emptied;
                }
            }
            return -1;
        } finally {
            if (!connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, networkTimeout);
            }
        }
    }

    private List<Closed> closed(Connection connection) throws SQLException {
        List<Closed> closed = new ArrayList<>();
        try (PreparedStatement statement = PostgresDialect.prepare(connection, table.in(CLOSED));
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                closed.add(new Closed(rows.getInt(1), rows.getLong(2)));
            }
        }
        return closed;
    }

    private boolean postpone(Connection connection, Closed closed) throws SQLException {
        try (PreparedStatement statement = PostgresDialect.prepare(connection, table.in(POSTPONE))) {
            statement.setLong(1, PostgresKeyTable.micros(betweenLooks));
            statement.setInt(2, closed.slot);
            statement.setLong(3, closed.turn);
            return statement.executeUpdate() == 1;
        }
    }

    /** Nobody is made to wait for long: whoever is in the slot keeps it from being emptied this time. */
    private long emptyUnlessInUse(Connection connection, Closed closed, boolean full) throws SQLException {
        try {
            return tryToEmpty(connection, closed, full);
        } catch (SQLException e) {
            if (!IN_USE.contains(String.valueOf(e.getSQLState()))) {
                throw e;
            }
            LOG.debug("slot {} of {} was in use and is emptied later", closed.slot, table);
            lookSoon(connection, closed);
            return -1;
        }
    }

    private long tryToEmpty(Connection connection, Closed closed, boolean full) throws SQLException {
        TableName slot = table.slot(closed.slot);
        if (!unneeded.containsKey(closed.turn)) {
            long blocks = PostgresBlocks.count(connection, slot);
            if (blocks > SAMPLED_BLOCKS && !sample(connection, slot, blocks).isMostlyUnneeded(full)) {
                return -1;
            }
            Count all = count(connection, slot, "");
            if (!all.isMostlyUnneeded(full) || (all.needed > 0 && !carry(connection, closed))) {
                return -1;
            }
            unneeded.put(closed.turn, all.outlived);
        }
        if (audit != null) {
            audit.copy(connection, closed.slot, closed.turn);
        }
        empty(connection, closed);
        Long removed = unneeded.remove(closed.turn);
        return removed == null ? 0 : removed;
    }

    /** What there is likely to be in all of a slot that has so many blocks. */
    private static Count sample(Connection connection, TableName slot, long blocks) throws SQLException {
        double share = (double) SAMPLED_BLOCKS / blocks;
        Count some = count(connection, slot, "TABLESAMPLE SYSTEM (" + 100 * share + ")");
        return new Count(
                Math.round(some.rows / share), Math.round(some.needed / share), Math.round(some.outlived / share));
    }

    private static Count count(Connection connection, TableName slot, String sample) throws SQLException {
        String sql = slot.in(String.format(COUNT, sample));
        return look(connection, looking -> {
            try (PreparedStatement statement = PostgresDialect.prepare(looking, sql);
                    ResultSet row = statement.executeQuery()) {
                row.next();
                return new Count(row.getLong(1), row.getLong(2), row.getLong(3));
            }
        });
    }

    /** Nobody waits for what a look finds, so it takes no more than one processor from those who claim meanwhile. */
    private static <T> T look(Connection connection, Database.Work<T> work) throws SQLException {
        return PostgresTransaction.run(connection, begun -> {
            PostgresTransaction.execute(begun, "SET LOCAL max_parallel_workers_per_gather = 0");
            return work.run(begun);
        });
    }

    private List<UUID> needed(Connection connection, Closed closed) throws SQLException {
        String sql = table.slot(closed.slot).in(LIST);
        return look(connection, looking -> {
            List<UUID> needed = new ArrayList<>();
            try (PreparedStatement statement = PostgresDialect.prepare(looking, sql);
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    needed.add(rows.getObject(1, UUID.class));
                }
            }
            return needed;
        });
    }

    /** Whether nothing that is needed is left in the slot. */
    private boolean carry(Connection connection, Closed closed) throws SQLException {
        List<UUID> needed = needed(connection, closed);
        long left = 0;
        for (int i = 0; i < needed.size(); i += AT_ONCE) {
            left += carry(connection, closed, needed.subList(i, Math.min(i + AT_ONCE, needed.size())));
        }
        if (left > 0 || needed.size() == MOST_IN_A_TURN) {
            lookSoon(connection, closed);
            return false;
        }
        return true;
    }

    private long carry(Connection connection, Closed closed, List<UUID> digests) throws SQLException {
        try (PreparedStatement statement =
                PostgresDialect.prepare(connection, table.in("SELECT {key}_carry(?::smallint, ?)"))) {
            statement.setInt(1, closed.slot);
            statement.setArray(2, connection.createArrayOf("uuid", digests.toArray()));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private void empty(Connection connection, Closed closed) throws SQLException {
        try (PreparedStatement statement =
                PostgresDialect.prepare(connection, table.in("SELECT {key}_empty(?::smallint, ?)"))) {
            statement.setInt(1, closed.slot);
            statement.setLong(2, closed.turn);
            statement.executeQuery().close();
        }
    }

    private void lookSoon(Connection connection, Closed closed) throws SQLException {
        try (PreparedStatement statement = PostgresDialect.prepare(connection, table.in(LOOK_SOON))) {
            statement.setInt(1, closed.slot);
            statement.setLong(2, closed.turn);
            statement.executeUpdate();
        }
    }
}
