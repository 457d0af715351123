package dev.semel.jdbc.innodb;

import static dev.semel.jdbc.dialect.Statements.PLAIN;

import dev.semel.jdbc.dialect.TableName;
import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.StoreStatistics.PendingAge;
import dev.semel.util.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Counts keys: all of them in a table of moderate size, and those of evenly spread stretches of ids in a larger one. */
final class InnoDbStatistics {

    private static final int STRETCHES = 50;
    private static final long STRETCH = 10_000;

    private static final String COUNT = """
            SELECT {now} AS at,
                sum(state = 0 AND lease_until > {now}) AS pending,
                sum(state = 0 AND lease_until <= {now}) AS lapsed,
                sum(state = 1) AS unknown,
                sum(state = 2 AND expires_at > {now}) AS succeeded,
                sum(state = 3 AND expires_at > {now}) AS failed,
                sum(state IN (2, 3) AND expires_at <= {now}) AS expired,
                min(IF(state IN (2, 3), purge_at, NULL)) AS purge_at
            FROM {key}
            WHERE id >= ? AND id < ?""";

    private static final String AGES = "SELECT {now} - claimed_at FROM {key} WHERE id >= ? AND id < ? AND state = 0";

    private final TableName table;
    private final long stretch;

    InnoDbStatistics(TableName table) {
        this(table, STRETCH);
    }

    InnoDbStatistics(TableName table, long stretch) {
        this.table = table;
        this.stretch = stretch;
    }

    StoreStatistics read(Connection connection) throws SQLException {
        InnoDbIdRange ids = InnoDbIdRange.of(connection, table);
        boolean exact = ids.span() <= STRETCHES * stretch;
        long step = exact ? stretch : ids.span() / STRETCHES;
        double share = exact ? 1 : (double) STRETCHES * stretch / ids.span();
        Map<KeyState, Long> counts = new EnumMap<>(KeyState.class);
        List<Duration> ages = new ArrayList<>();
        long now = 0;
        long lag = 0;
        long first = ids.first();
        do {
            try (PreparedStatement count = connection.prepareStatement(InnoDbDialect.in(table, COUNT))) {
                count.setLong(1, first);
                count.setLong(2, first + stretch);
                try (ResultSet row = count.executeQuery()) {
                    row.next();
                    now = row.getLong("at");
                    add(counts, row, share);
                    long purgeAt = row.getLong("purge_at");
                    lag = row.wasNull() ? lag : Math.max(lag, now - purgeAt);
                }
            }
            addAges(connection, first, ages);
            first += step;
        } while (first <= ids.last());
        return StoreStatistics.builder(Micros.toInstant(now), counts)
                .exact(exact)
                .pendingAge(PendingAge.of(ages))
                .bytes(size(connection))
                .purgeLag(Micros.toDuration(lag))
                .build();
    }

    private static void add(Map<KeyState, Long> counts, ResultSet row, double share) throws SQLException {
        for (KeyState state : KeyState.values()) {
            long count = Math.round(row.getLong(state.name().toLowerCase(Locale.ROOT)) / share);
            if (count > 0) {
                counts.merge(state, count, Long::sum);
            }
        }
    }

    private void addAges(Connection connection, long first, List<Duration> ages) throws SQLException {
        ages.addAll(PLAIN.all(
                connection,
                InnoDbDialect.in(table, AGES),
                row -> Micros.toDuration(Math.max(0, row.getLong(1))),
                first,
                first + stretch));
    }

    private long size(Connection connection) throws SQLException {
        String database = table.schema() == null ? "DATABASE()" : "'" + table.schema() + "'";
        Long size = PLAIN.first(
                connection,
                "SELECT data_length + index_length FROM information_schema.tables WHERE table_schema = " + database
                        + " AND table_name = '" + table.name() + "'",
                row -> row.getLong(1));
        return size == null ? -1 : size;
    }
}
