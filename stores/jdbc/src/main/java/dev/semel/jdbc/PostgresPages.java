package dev.semel.jdbc;

import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Shows records in the order in which they lie in the table. Each page looks at a bounded number of blocks, however few
 * records it finds there, and holds a bounded amount of bodies.
 */
final class PostgresPages {

    private static final Pattern CURSOR = Pattern.compile("([0-9]{1,10}),([0-9]{1,5})");
    private static final long MOST_BYTES = 16 << 20;

    private static final String PAGE = """
            SELECT *
            FROM (
                SELECT k.*,
                    sum(coalesce(octet_length(body), 0) + coalesce(octet_length(steps), 0))
                        OVER (ORDER BY address) AS bytes,
                    row_number() OVER (ORDER BY address) AS nth,
                    count(*) OVER () AS found
                FROM (
                    SELECT k.*, k.ctid AS address, now() AS asked_at
                    FROM {key} k
                    WHERE %s AND k.ctid > ?::tid AND k.state <> 4
                        AND (?::text IS NULL OR k.operation = ?) AND (?::text IS NULL OR k.scope = ?)
                        AND (?::text IS NULL OR k.key = ?) AND %s
                    ORDER BY k.ctid
                    LIMIT ?
                ) k
            ) k
            WHERE nth = 1 OR bytes <= ?
            ORDER BY nth""";

    private final TableName table;
    private final String page;

    PostgresPages(TableName table) {
        this.table = table;
        this.page = table.in(PAGE);
    }

    KeyPage page(Connection connection, KeyQuery query) throws SQLException {
        String after = query.cursor() == null ? "0,0" : query.cursor();
        Matcher cursor = CURSOR.matcher(after);
        if (!cursor.matches()) {
            throw new IllegalArgumentException("not a cursor of this store: \"" + after + "\"");
        }
        long blocks = PostgresBlocks.count(connection, table);
        long first = Long.parseLong(cursor.group(1));
        if (first >= blocks) {
            return new KeyPage(List.of(), null);
        }
        long end = Math.min(first + PostgresBlocks.perStatement(connection), blocks);
        String sql = String.format(page, PostgresBlocks.condition(connection), condition(query.state()));
        try (PreparedStatement statement = PostgresDialect.prepare(connection, sql)) {
            statement.setLong(1, first);
            statement.setLong(2, end);
            statement.setString(3, "(" + after + ")");
            restrict(statement, 4, query.operation());
            restrict(statement, 6, query.scope());
            restrict(statement, 8, query.value());
            statement.setInt(10, query.limit());
            statement.setLong(11, MOST_BYTES);
            return read(statement, query.limit(), end < blocks ? end + ",0" : null);
        }
    }

    private static KeyPage read(PreparedStatement statement, int limit, @Nullable String nextBlocks)
            throws SQLException {
        List<KeyRecord> records = new ArrayList<>();
        String last = "";
        long found = 0;
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                records.add(PostgresRows.record(rows));
                last = rows.getString("address");
                found = rows.getLong("found");
            }
        }
        boolean moreHere = records.size() == limit || records.size() < found;
        return new KeyPage(records, moreHere ? last.substring(1, last.length() - 1) : nextBlocks);
    }

    private static void restrict(PreparedStatement statement, int index, @Nullable String value) throws SQLException {
        statement.setString(index, value);
        statement.setString(index + 1, value);
    }

    private static String condition(@Nullable KeyState state) {
        if (state == null) {
            return "true";
        }
        return switch (state) {
            case PENDING -> "k.state = 0 AND k.lease_until > now()";
            case LAPSED -> "k.state = 0 AND k.lease_until <= now()";
            case UNKNOWN -> "k.state = 1";
            case SUCCEEDED -> "k.state = 2 AND k.expires_at > now()";
            case FAILED -> "k.state = 3 AND k.expires_at > now()";
            case EXPIRED -> "k.state IN (2, 3) AND k.expires_at <= now()";
        };
    }
}
