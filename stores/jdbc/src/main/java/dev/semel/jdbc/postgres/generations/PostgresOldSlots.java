package dev.semel.jdbc.postgres.generations;

import static dev.semel.jdbc.postgres.statement.PostgresStatements.UNNAMED;

import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.audit.PostgresAudit;
import dev.semel.jdbc.postgres.statement.PostgresBlocks;
import dev.semel.jdbc.postgres.statement.PostgresTransaction;
import dev.semel.util.Micros;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
 *
 * <p>That nothing is left to carry is only ever known by the database: each step is written there in the transaction that
 * makes it, and the next one needs it. So a failover or a restore that loses a step loses what was built on it too.
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

    private static final String NO_CONNECTION = "08";

    /** A lock that was not available in time, a deadlock, a row that changed under a snapshot. */
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
            + "), count(*) FILTER (WHERE k.state IN (2, 3) AND NOT " + NEEDED
            + "), array_agg(k.digest) FILTER (WHERE " + NEEDED + ") FROM {key} k ";

    private static final String UNNEEDED = "SELECT unneeded FROM {key}_slot WHERE slot = ? AND closed = ?";

    private static final String LOOKED = """
            UPDATE {key}_slot SET looked = ?, carried = 0, unneeded = ?
            WHERE slot = ? AND closed = ?""";

    /** Finds the piece before it, unless that was lost or another node has looked since. */
    private static final String CARRIED = """
            UPDATE {key}_slot SET carried = carried + 1
            WHERE slot = ? AND closed = ? AND looked = ? AND carried = ?""";

    private static final String NOTHING_LEFT =
            "UPDATE {key}_slot SET unneeded = ? WHERE slot = ? AND closed = ? AND looked = ?";

    private final TableName table;
    private final Duration betweenLooks;
    private final @Nullable PostgresAudit audit;

    PostgresOldSlots(TableName table, @Nullable Duration rotateEvery, @Nullable PostgresAudit audit) {
        this.table = table;
        this.audit = audit;
        this.betweenLooks = rotateEvery == null
                ? Duration.ofMinutes(15)
                : rotateEvery.dividedBy(8).plusMillis(1);
    }

    private record Closed(int slot, long turn) {}

    /** A look at a slot, or at a part of it: how many keys there are, and some of those that are needed. */
    private record Count(long rows, long needed, long outlived, List<UUID> some) {

        static final Count NOTHING = new Count(0, 0, 0, List.of());

        Count plus(Count other) {
            List<UUID> more = new ArrayList<>(some);
            other.some.stream().limit((long) MOST_IN_A_TURN - more.size()).forEach(more::add);
            return new Count(rows + other.rows, needed + other.needed, outlived + other.outlived, more);
        }

        boolean isMostlyUnneeded(boolean full) {
            return needed <= Math.max(FEW_KEYS, rows / (full ? CARRIED_OF_IF_FULL : CARRIED_OF));
        }
    }

    /**
     * Empties the oldest slot that can be emptied. A problem with one slot does not prevent others from being emptied.
     *
     * @param full whether an empty slot has been needed for long, and there is none
     * @return how many keys are gone with it, or a negative number if none was emptied
     */
    long emptyOne(Connection connection, boolean full) throws SQLException {
        int networkTimeout = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(LONGEST_SCAN.toMillis()));
        try {
            SQLException failure = null;
            for (Closed closed : closed(connection)) {
                try {
                    long emptied = postpone(connection, closed) ? emptyUnlessInUse(connection, closed, full) : -1;
                    if (emptied >= 0) {
                        return emptied;
                    }
                } catch (SQLException e) {
                    if (connection.isClosed() || String.valueOf(e.getSQLState()).startsWith(NO_CONNECTION)) {
                        throw e;
                    }
                    LOG.warn("slot {} of {} could not be emptied, which is tried again later", closed.slot, table, e);
                    failure = e;
                }
            }
            if (failure != null) {
                throw failure;
            }
            return -1;
        } finally {
            if (!connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, networkTimeout);
            }
        }
    }

    private List<Closed> closed(Connection connection) throws SQLException {
        return UNNAMED.all(connection, table.in(CLOSED), row -> new Closed(row.getInt(1), row.getLong(2)));
    }

    private boolean postpone(Connection connection, Closed closed) throws SQLException {
        return update(connection, POSTPONE, Micros.of(betweenLooks), closed.slot, closed.turn) == 1;
    }

    /** No transaction waits for long: a slot that is in use is not emptied this time. */
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
        Long unneeded = unneeded(connection, closed);
        if (unneeded == null) {
            TableName slot = table.slot(closed.slot);
            long blocks = PostgresBlocks.count(connection, slot);
            if (blocks > SAMPLED_BLOCKS && !sample(connection, slot, blocks).isMostlyUnneeded(full)) {
                return -1;
            }
            UUID look = UUID.randomUUID();
            Count all = look(connection, closed, look, full);
            if (!all.isMostlyUnneeded(full) || (all.needed > 0 && !carry(connection, closed, look, all))) {
                return -1;
            }
            unneeded = all.outlived;
        }
        if (audit != null) {
            audit.copy(connection, closed.slot, closed.turn);
        }
        return empty(connection, closed) ? unneeded : -1;
    }

    private @Nullable Long unneeded(Connection connection, Closed closed) throws SQLException {
        return UNNAMED.first(
                connection, table.in(UNNEEDED), row -> row.getObject(1, Long.class), closed.slot, closed.turn);
    }

    /** An estimate for a whole slot with this number of blocks. */
    private static Count sample(Connection connection, TableName slot, long blocks) throws SQLException {
        double share = (double) SAMPLED_BLOCKS / blocks;
        Count some = PostgresTransaction.upkeep(
                connection, begun -> count(begun, slot, "TABLESAMPLE SYSTEM (" + 100 * share + ")"));
        return new Count(
                Math.round(some.rows / share),
                Math.round(some.needed / share),
                Math.round(some.outlived / share),
                List.of());
    }

    /**
     * Looks at all of a slot as it is at one moment, a few blocks at a time, and records that in the same transaction. No one
     * waits for it, so it takes no more than one processor from those who claim meanwhile.
     */
    private Count look(Connection connection, Closed closed, UUID look, boolean full) throws SQLException {
        TableName slot = table.slot(closed.slot);
        return PostgresTransaction.upkeep(connection, begun -> {
            PostgresTransaction.execute(begun, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            PostgresTransaction.execute(begun, "SET LOCAL max_parallel_workers_per_gather = 0");
            int atOnce = PostgresBlocks.perStatement(begun);
            String range = "WHERE " + PostgresBlocks.condition(begun);
            long blocks = PostgresBlocks.count(begun, slot);
            Count all = Count.NOTHING;
            for (long first = 0; first < blocks; first += atOnce) {
                all = all.plus(count(begun, slot, range, first, first + atOnce));
            }
            if (all.isMostlyUnneeded(full)) {
                update(begun, LOOKED, look, all.needed == 0 ? all.outlived : null, closed.slot, closed.turn);
            }
            return all;
        });
    }

    private static Count count(Connection connection, TableName slot, String which, Object... parameters)
            throws SQLException {
        return UNNAMED.one(
                connection,
                slot.in(COUNT) + which,
                row -> {
                    Array needed = row.getArray(4);
                    return new Count(
                            row.getLong(1),
                            row.getLong(2),
                            row.getLong(3),
                            needed == null ? List.of() : List.of((UUID[]) needed.getArray()));
                },
                parameters);
    }

    /** Whether nothing that is needed is left in the slot. */
    private boolean carry(Connection connection, Closed closed, UUID look, Count found) throws SQLException {
        List<UUID> needed = found.some.stream().sorted().toList();
        long left = 0;
        for (int piece = 0; piece * AT_ONCE < needed.size(); piece++) {
            int end = Math.min((piece + 1) * AT_ONCE, needed.size());
            boolean last = end == needed.size() && left == 0 && end == found.needed;
            List<UUID> digests = needed.subList(piece * AT_ONCE, end);
            left += carry(connection, closed, look, piece, digests, last ? found.outlived : null);
        }
        if (left > 0 || needed.size() < found.needed) {
            lookSoon(connection, closed);
            return false;
        }
        return true;
    }

    /**
     * Carries one piece.
     *
     * @param unneeded how many keys go with the slot, if this is the last piece and all others were carried
     * @return how many keys are left behind
     */
    private long carry(
            Connection connection, Closed closed, UUID look, int piece, List<UUID> digests, @Nullable Long unneeded)
            throws SQLException {
        return PostgresTransaction.upkeep(connection, begun -> {
            if (update(begun, CARRIED, closed.slot, closed.turn, look, piece) == 0) {
                throw new SQLException("the piece before this one is not in the database any more", "40001");
            }
            Array carried = begun.createArrayOf("uuid", digests.toArray());
            String carry = table.in("SELECT {key}_carry(?::smallint, ?)");
            long left = UNNAMED.one(begun, carry, row -> row.getLong(1), closed.slot, carried);
            if (left == 0 && unneeded != null) {
                update(begun, NOTHING_LEFT, unneeded, closed.slot, closed.turn, look);
            }
            return left;
        });
    }

    private int update(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        return UNNAMED.update(connection, table.in(sql), parameters);
    }

    private boolean empty(Connection connection, Closed closed) throws SQLException {
        String empty = table.in("SELECT {key}_empty(?::smallint, ?)");
        return PostgresTransaction.upkeep(
                connection, begun -> UNNAMED.one(begun, empty, row -> row.getBoolean(1), closed.slot, closed.turn));
    }

    private void lookSoon(Connection connection, Closed closed) throws SQLException {
        update(connection, LOOK_SOON, closed.slot, closed.turn);
    }
}
