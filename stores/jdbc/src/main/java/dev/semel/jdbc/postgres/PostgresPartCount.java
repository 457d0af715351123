package dev.semel.jdbc.postgres;

import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.statement.PostgresBlocks;
import dev.semel.jdbc.postgres.statement.PostgresStatements;
import dev.semel.spi.KeyState;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The keys in a range of blocks, as they were when they were counted.
 *
 * @param countedAt by the clock of this process, in nanoseconds
 * @param ages how old the claims of pending keys were, in seconds: points at even distances, in ascending order
 * @param lag how long ago a key could have been purged, in seconds
 * @param stuck the oldest pending keys
 * @param unknown some of the unknown keys
 */
record PostgresPartCount(
        long countedAt, Map<KeyState, Long> keys, List<Double> ages, double lag, List<UUID> stuck, List<UUID> unknown) {

    /** A claim that is older than this is looked at each time. */
    private static final int STUCK_SECONDS = 5;

    private static final String COUNT = """
            SELECT
                count(*) FILTER (WHERE state = 0 AND lease_until > now()) AS pending,
                count(*) FILTER (WHERE state = 0 AND lease_until <= now()) AS lapsed,
                count(*) FILTER (WHERE state = 1) AS unknown,
                count(*) FILTER (WHERE state = 2 AND expires_at > now()) AS succeeded,
                count(*) FILTER (WHERE state = 3 AND expires_at > now()) AS failed,
                count(*) FILTER (WHERE state IN (2, 3) AND expires_at <= now()) AS expired,
                percentile_disc(ARRAY(SELECT i / 100.0::float8 FROM generate_series(0, 100) i))
                    WITHIN GROUP (ORDER BY age) FILTER (WHERE state = 0) AS ages,
                max(overdue) FILTER (WHERE state IN (2, 3)) AS lag,
                (array_agg(digest ORDER BY age DESC) FILTER (WHERE state = 0 AND age > :stuck))[1:50] AS stuck,
                (array_agg(digest ORDER BY age DESC) FILTER (WHERE state = 1))[1:50] AS some_unknown
            FROM (
                SELECT digest, state, lease_until, expires_at,
                    extract(epoch FROM now() - claimed_at)::float8 AS age,
                    extract(epoch FROM now() - greatest(purge_at, expires_at, free_at))::float8 AS overdue
                FROM {key} k %s
            ) k""".replace(":stuck", Integer.toString(STUCK_SECONDS));

    /** Counts the blocks from {@code first} on; where a range cannot be scanned, as many that are chosen at random. */
    static PostgresPartCount count(Connection connection, TableName table, long first, long size, long blocks)
            throws SQLException {
        boolean ranges = PostgresBlocks.hasRangeScan(connection);
        String from = ranges ? "WHERE " + PostgresBlocks.condition(connection) : "TABLESAMPLE SYSTEM (?)";
        Object[] part = ranges
                ? new Object[] {first, first + size}
                : new Object[] {blocks <= size ? 100.0 : 100.0 * size / blocks};
        return PostgresStatements.UNNAMED.one(
                connection,
                table.in(COUNT.formatted(from)),
                row -> new PostgresPartCount(
                        System.nanoTime(),
                        counts(row),
                        list(row.getArray("ages"), Double[].class),
                        row.getDouble("lag"),
                        list(row.getArray("stuck"), UUID[].class),
                        list(row.getArray("some_unknown"), UUID[].class)),
                part);
    }

    private static Map<KeyState, Long> counts(ResultSet row) throws SQLException {
        Map<KeyState, Long> counts = new EnumMap<>(KeyState.class);
        for (KeyState state : KeyState.values()) {
            counts.put(state, row.getLong(state.name().toLowerCase(Locale.ROOT)));
        }
        return counts;
    }

    private static <T> List<T> list(@Nullable Array array, Class<T[]> type) throws SQLException {
        return array == null ? List.of() : List.of(type.cast(array.getArray()));
    }

    /** Of the oldest pending key, in seconds; 0 if there is none. */
    double oldest() {
        return ages.isEmpty() ? 0 : ages.get(ages.size() - 1);
    }

    /** Like {@link #oldest}, but among the keys that are not stuck. */
    double oldestUnwatched() {
        return ages.stream().filter(age -> age <= STUCK_SECONDS).reduce(0.0, Math::max);
    }

    long pending() {
        return keys.getOrDefault(KeyState.PENDING, 0L) + keys.getOrDefault(KeyState.LAPSED, 0L);
    }
}
