package dev.semel.jdbc;

import dev.semel.spi.StoreStatistics;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Counts keys: all of them in a table of moderate size. A larger one is counted part by part, one part each time, and
 * what was counted before is remembered; so a count looks at a bounded number of blocks, and still misses no key for
 * longer than one round. Keys that were found stuck or unknown are looked at each time, wherever they are.
 */
final class PostgresStatistics {

    /** 128 MB, which are counted in a fraction of a second. */
    private static final long PART_BLOCKS = 16 * 1024;

    private static final String SIZES = """
            SELECT now() AS at, pg_total_relation_size('{key}'::regclass) AS bytes,
                pg_stat_get_dead_tuples('{key}'::regclass) AS dead_rows""";

    private static final String WATCHED = """
            SELECT k.digest, k.state, extract(epoch FROM now() - k.claimed_at)::float8 AS age
            FROM {key} k
            WHERE k.digest = ANY (?) AND k.state IN (0, 1)""";

    private final TableName table;
    private final long partBlocks;
    private final Map<Long, PostgresPart> parts = new HashMap<>();

    PostgresStatistics(TableName table) {
        this(table, PART_BLOCKS);
    }

    PostgresStatistics(TableName table, long partBlocks) {
        this.table = table;
        this.partBlocks = partBlocks;
    }

    synchronized StoreStatistics read(Connection connection) throws SQLException {
        long blocks = PostgresBlocks.count(connection, table);
        long wanted = Math.max(1, (blocks + partBlocks - 1) / partBlocks);
        parts.keySet().removeIf(number -> number >= wanted);
        Watched watched = watched(connection);
        long number = next(wanted);
        PostgresPart counted = PostgresPart.count(connection, table, number * partBlocks, partBlocks, blocks);
        parts.put(number, counted);
        try (PreparedStatement statement = PostgresDialect.prepare(connection, table.in(SIZES));
                ResultSet row = statement.executeQuery()) {
            row.next();
            return new PostgresCensus(List.copyOf(parts.values()), (double) parts.size() / wanted)
                    .statistics(
                            PostgresRows.time(row, "at"),
                            Math.max(watched.oldest, oldest(counted)),
                            watched.noLongerUnknown,
                            row.getLong("bytes"),
                            row.getLong("dead_rows"));
        }
    }

    /** Of the keys that are not watched: those of this part now, and those of the others when they were counted. */
    private double oldest(PostgresPart counted) {
        return Math.max(
                counted.oldest(),
                parts.values().stream()
                        .mapToDouble(PostgresPart::oldestUnwatched)
                        .max()
                        .orElse(0));
    }

    /** A part that was not counted yet, or else the one that was counted the longest ago. */
    private long next(long wanted) {
        if (parts.size() == wanted) {
            return parts.entrySet().stream()
                    .min(Map.Entry.comparingByValue(
                            (one, other) -> Long.compare(one.countedAt() - other.countedAt(), 0)))
                    .orElseThrow()
                    .getKey();
        }
        // In random order, since keys of one time lie side by side, and the first parts stand for all others.
        long[] missing = LongStream.range(0, wanted)
                .filter(number -> !parts.containsKey(number))
                .toArray();
        return missing[ThreadLocalRandom.current().nextInt(missing.length)];
    }

    /** What became of the keys that were stuck or unknown when their part was counted. */
    private Watched watched(Connection connection) throws SQLException {
        Set<UUID> unknown = new HashSet<>();
        parts.values().forEach(part -> unknown.addAll(part.unknown()));
        UUID[] all = Stream.concat(parts.values().stream().flatMap(part -> part.stuck().stream()), unknown.stream())
                .toArray(UUID[]::new);
        double oldest = 0;
        if (all.length > 0) {
            try (PreparedStatement statement = PostgresDialect.prepare(connection, table.in(WATCHED))) {
                statement.setArray(1, connection.createArrayOf("uuid", all));
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        if (row.getInt("state") == PostgresRows.UNKNOWN) {
                            unknown.remove(row.getObject("digest", UUID.class));
                        } else {
                            oldest = Math.max(oldest, row.getDouble("age"));
                        }
                    }
                }
            }
        }
        return new Watched(oldest, unknown);
    }

    private record Watched(double oldest, Set<UUID> noLongerUnknown) {}
}
