package dev.semel.jdbc.postgres;

import static dev.semel.jdbc.postgres.statement.PostgresStatements.UNNAMED;

import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.statement.PostgresBlocks;
import dev.semel.jdbc.postgres.statement.PostgresRows;
import dev.semel.jdbc.postgres.statement.PostgresStatements;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.spi.StoreStatistics;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
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
            SELECT now() AS at, sum(pg_total_relation_size(name::regclass)) AS bytes,
                sum(pg_stat_get_dead_tuples(name::regclass)) AS dead_rows
            FROM unnest(?::text[]) name""";

    private static final String WATCHED = """
            SELECT k.digest, k.state, extract(epoch FROM now() - k.claimed_at)::float8 AS age
            FROM {key} k
            WHERE k.digest = ANY (?) AND k.state IN (0, 1)""";

    private final TableName table;
    private final List<TableName> tables;
    private final long partBlocks;
    private final Map<Place, PostgresPartCount> parts = new HashMap<>();

    PostgresStatistics(TableName table) {
        this(table, PART_BLOCKS);
    }

    PostgresStatistics(TableName table, long partBlocks) {
        this(table, List.of(table), partBlocks);
    }

    /** Of a table whose keys are in others. */
    PostgresStatistics(TableName parent, List<TableName> slots) {
        this(parent, slots, PART_BLOCKS);
    }

    private PostgresStatistics(TableName table, List<TableName> tables, long partBlocks) {
        this.table = table;
        this.tables = tables;
        this.partBlocks = partBlocks;
    }

    /** A part, by the table that it is in and its first block. */
    private record Place(TableName table, long first) {}

    synchronized StoreStatistics read(Connection connection) throws SQLException {
        Map<Place, Long> blocks = new LinkedHashMap<>();
        for (TableName each : tables) {
            long all = PostgresBlocks.count(connection, each);
            for (long first = 0; first == 0 || first < all; first += partBlocks) {
                blocks.put(new Place(each, first), all);
            }
        }
        parts.keySet().retainAll(blocks.keySet());
        Watched watched = watched(connection);
        double oldest = 0;
        Set<Place> left = new HashSet<>(blocks.keySet());
        long budget = partBlocks;
        while (!left.isEmpty()) {
            Place place = next(left);
            long all = blocks.getOrDefault(place, 0L);
            long size = Math.min(partBlocks, all - place.first);
            if (size > budget) {
                break;
            }
            PostgresPartCount counted = PostgresPartCount.count(connection, place.table, place.first, partBlocks, all);
            parts.put(place, counted);
            left.remove(place);
            oldest = Math.max(oldest, counted.oldest());
            budget -= size;
        }
        PostgresEstimate estimate = new PostgresEstimate(
                List.copyOf(parts.values()), (double) parts.size() / blocks.size(), left.isEmpty());
        return statistics(connection, estimate, watched, Math.max(oldest, oldestUnwatched()));
    }

    private StoreStatistics statistics(Connection connection, PostgresEstimate estimate, Watched watched, double oldest)
            throws SQLException {
        Object[] names = tables.stream().map(TableName::toString).toArray();
        return UNNAMED.one(
                connection,
                SIZES,
                row -> estimate.statistics(
                        PostgresRows.time(row, "at"),
                        Math.max(watched.oldest, oldest),
                        watched.noLongerUnknown,
                        row.getLong("bytes"),
                        row.getLong("dead_rows")),
                connection.createArrayOf("text", names));
    }

    /** The oldest of the keys that are not watched, as they were when they were counted. */
    private double oldestUnwatched() {
        return parts.values().stream()
                .mapToDouble(PostgresPartCount::oldestUnwatched)
                .max()
                .orElse(0);
    }

    /** A part that was not counted yet, or else the one that was counted the longest ago. */
    private Place next(Set<Place> left) {
        // In random order, since keys of one time lie side by side, and the first parts stand for all others.
        List<Place> missing =
                left.stream().filter(place -> !parts.containsKey(place)).toList();
        if (!missing.isEmpty()) {
            return missing.get(ThreadLocalRandom.current().nextInt(missing.size()));
        }
        return parts.entrySet().stream()
                .filter(part -> left.contains(part.getKey()))
                .min(Map.Entry.comparingByValue((one, other) -> Long.compare(one.countedAt() - other.countedAt(), 0)))
                .orElseThrow()
                .getKey();
    }

    /** The current state of the keys that were stuck or unknown when their part was counted. */
    private Watched watched(Connection connection) throws SQLException {
        Set<UUID> unknown = new HashSet<>();
        parts.values().forEach(part -> unknown.addAll(part.unknown()));
        UUID[] all = Stream.concat(parts.values().stream().flatMap(part -> part.stuck().stream()), unknown.stream())
                .toArray(UUID[]::new);
        double oldest = 0;
        if (all.length > 0) {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, table.in(WATCHED))) {
                statement.setArray(1, connection.createArrayOf("uuid", all));
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        if (row.getInt("state") == KeyRow.UNKNOWN) {
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
