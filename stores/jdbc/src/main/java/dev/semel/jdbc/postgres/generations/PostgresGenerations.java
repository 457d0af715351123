package dev.semel.jdbc.postgres.generations;

import static dev.semel.jdbc.postgres.statement.PostgresStatements.UNNAMED;

import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.audit.PostgresAudit;
import dev.semel.jdbc.postgres.statement.PostgresBlocks;
import dev.semel.spi.Purging.Purged;
import dev.semel.util.Micros;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Purges keys that are kept in generations: from time to time, new keys go to the next slot, and when nothing in an old
 * one is needed any more, it is emptied as a whole.
 *
 * <p>Any node may take the next turn, and several may try: what a turn changes is conditional on the turn before. A node
 * that dies in the middle, or sleeps, leaves nothing that the next one could not go on from.
 */
public final class PostgresGenerations {

    public static final int SLOTS = 4;

    /** How long a turn waits for claims that do not know of it yet; most are over in an instant. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final long POLL_MILLIS = 5;

    /** A generation of at most 8 MB is also purged row by row, which costs little there. */
    private static final long FEW_BLOCKS = 1024;

    private static final String PREPARED = "prepared";

    private static final String STATE = """
            SELECT r.slot, r.guarded, r.turn,
                clock_timestamp() >= r.since + ?::bigint * interval '1 microsecond' AS due,
                clock_timestamp() >= r.since + ?::bigint * interval '2 microseconds' AS overdue,
                (SELECT min(s.slot) FROM {key}_slot s
                 WHERE s.closed IS NULL AND s.slot <> r.slot AND s.slot IS DISTINCT FROM r.guarded) AS vacant
            FROM {key}_rotation r""";

    private static final String BEGIN = """
            UPDATE {key}_rotation
            SET guarded = slot, slot = ?, since = clock_timestamp(), turn = turn + 1
            WHERE turn = ? AND guarded IS NULL
                AND EXISTS (SELECT FROM {key}_slot s WHERE s.slot = ? AND s.closed IS NULL)""";

    /** Who has looked where new keys go, and has not ended yet. A prepared transaction belongs to no process. */
    private static final String CLAIMS_UNDER_WAY = """
            SELECT DISTINCT CASE WHEN pid IS NULL THEN 'prepared' ELSE virtualtransaction END
            FROM pg_locks
            WHERE locktype = 'relation' AND relation = '{key}_rotation'::regclass
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND pid IS DISTINCT FROM pg_backend_pid()""";

    private static final String END = """
            WITH ended AS (
                UPDATE {key}_rotation r
                SET guarded = NULL, turn = r.turn + 1
                FROM (SELECT guarded FROM {key}_rotation WHERE turn = ? FOR UPDATE) before
                WHERE r.guarded = before.guarded
                RETURNING before.guarded AS closed, r.turn
            )
            UPDATE {key}_slot s
            SET closed = ended.turn, look_at = clock_timestamp(),
                audited = NULL, looked = NULL, carried = NULL, unneeded = NULL
            FROM ended
            WHERE s.slot = ended.closed""";

    private final TableName table;
    private final @Nullable Duration rotateEvery;
    private final PostgresNewRowReader newRows;
    private final PostgresOldSlots oldSlots;
    private final List<PostgresPurge> rowPurges;
    private long turnWaitedFor;
    private final Set<String> waitedFor = new HashSet<>();

    /** {@code rotateEvery} is {@code null} for a node that leaves it to others to begin a rotation. */
    public PostgresGenerations(TableName table, @Nullable Duration rotateEvery, @Nullable PostgresAudit audit) {
        this.table = table;
        this.rotateEvery = rotateEvery;
        this.newRows = new PostgresNewRowReader(table);
        this.oldSlots = new PostgresOldSlots(table, rotateEvery, audit);
        this.rowPurges = IntStream.range(0, SLOTS)
                .mapToObj(slot -> new PostgresPurge(table.slot(slot), audit, slot))
                .toList();
    }

    public static List<TableName> slots(TableName table) {
        return IntStream.range(0, SLOTS).mapToObj(table::slot).toList();
    }

    /** The slot for new keys, and whether it should change. */
    private record State(
            int slot,
            @Nullable Integer guarded,
            long turn,
            boolean due,
            boolean overdue,
            @Nullable Integer vacant) {}

    public synchronized Purged purge(Connection connection, int limit) throws SQLException {
        State state = state(connection);
        if (state.guarded != null) {
            return new Purged(0, end(connection, state));
        }
        if (state.due && state.vacant != null && begin(connection, state.turn, state.vacant)) {
            return new Purged(0, true);
        }
        newRows.read(connection, state.slot, state.turn);
        long emptied = oldSlots.emptyOne(connection, state.overdue && state.vacant == null);
        return emptied >= 0 ? new Purged(emptied, true) : purgeRows(connection, limit);
    }

    private Purged purgeRows(Connection connection, int limit) throws SQLException {
        long removed = 0;
        boolean more = false;
        for (int slot = 0; slot < SLOTS && removed < limit; slot++) {
            if (PostgresBlocks.count(connection, table.slot(slot)) <= FEW_BLOCKS) {
                Purged purged = rowPurges.get(slot).purge(connection, (int) (limit - removed));
                removed += purged.removed();
                more |= purged.more();
            }
        }
        return new Purged(removed, more);
    }

    private State state(Connection connection) throws SQLException {
        Long micros = rotateEvery == null ? null : Micros.of(rotateEvery);
        return UNNAMED.one(
                connection,
                table.in(STATE),
                row -> new State(
                        row.getInt("slot"),
                        row.getObject("guarded", Integer.class),
                        row.getLong("turn"),
                        row.getBoolean("due"),
                        row.getBoolean("overdue"),
                        row.getObject("vacant", Integer.class)),
                micros,
                micros);
    }

    private boolean begin(Connection connection, long turn, int vacant) throws SQLException {
        return UNNAMED.update(connection, table.in(BEGIN), vacant, turn, vacant) == 1;
    }

    /** Ends the turn when every claim is over that may not know of it. */
    private boolean end(Connection connection, State state) throws SQLException {
        if (turnWaitedFor != state.turn) {
            waitedFor.clear();
            waitedFor.addAll(claimsUnderWay(connection));
            turnWaitedFor = state.turn;
        }
        long patience = System.nanoTime() + PATIENCE.toNanos();
        while (!isOver(connection)) {
            if (System.nanoTime() > patience || !pause()) {
                return false;
            }
        }
        return UNNAMED.update(connection, table.in(END), state.turn) == 1;
    }

    /** A transaction that is prepared for a second phase keeps its locks, but no longer the name that it had before. */
    private boolean isOver(Connection connection) throws SQLException {
        Set<String> now = claimsUnderWay(connection);
        waitedFor.retainAll(now);
        return waitedFor.isEmpty() && !now.contains(PREPARED);
    }

    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Set<String> claimsUnderWay(Connection connection) throws SQLException {
        return new HashSet<>(UNNAMED.all(connection, table.in(CLAIMS_UNDER_WAY), row -> row.getString(1)));
    }
}
