package dev.semel.jdbc.postgres;

import dev.semel.jdbc.dialect.QueryFilter;
import dev.semel.jdbc.dialect.TableInspection;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.statement.PostgresBlocks;
import dev.semel.jdbc.postgres.statement.PostgresRows;
import dev.semel.jdbc.postgres.statement.PostgresStatements;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
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

    private static final Pattern CURSOR = Pattern.compile("(?:([0-9])/)?(([0-9]{1,10}),[0-9]{1,5})");
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
                    WHERE %s AND k.ctid > ?::tid AND k.state <> 4 AND %s AND %s%s
                    ORDER BY k.ctid
                    LIMIT ?
                ) k
            ) k
            WHERE nth = 1 OR bytes <= ?
            ORDER BY nth""";

    /** A key that has expired in one generation may have been claimed again in another. */
    private static final String NOT_SUPERSEDED = """
            (k.state NOT IN (2, 3) OR k.expires_at > now()
                OR NOT EXISTS (SELECT FROM {key} n WHERE n.digest = k.digest AND n.token > k.token))""";

    private final List<TableName> tables;
    private final String superseded;

    PostgresPages(TableName table) {
        this.tables = List.of(table);
        this.superseded = "true";
    }

    PostgresPages(TableName parent, List<TableName> slots) {
        this.tables = slots;
        this.superseded = parent.in(NOT_SUPERSEDED);
    }

    KeyPage page(Connection connection, KeyQuery query) throws SQLException {
        String after = query.cursor() == null ? "0,0" : query.cursor();
        Matcher cursor = CURSOR.matcher(after);
        if (!cursor.matches()) {
            throw new IllegalArgumentException("not a cursor of this store: \"" + after + "\"");
        }
        int slot = cursor.group(1) == null ? 0 : Integer.parseInt(cursor.group(1));
        return slot < tables.size()
                ? page(connection, query, slot, cursor.group(2), Long.parseLong(cursor.group(3)))
                : new KeyPage(List.of(), null);
    }

    private KeyPage page(Connection connection, KeyQuery query, int slot, String after, long first)
            throws SQLException {
        TableName table = tables.get(slot);
        long blocks = PostgresBlocks.count(connection, table);
        if (first >= blocks) {
            return slot + 1 < tables.size()
                    ? page(connection, query, slot + 1, "0,0", 0)
                    : new KeyPage(List.of(), null);
        }
        long end = Math.min(first + PostgresBlocks.perStatement(connection), blocks);
        String inState = TableInspection.condition(query.state(), "now()");
        QueryFilter filter = filter(query);
        String sql =
                String.format(table.in(PAGE), PostgresBlocks.condition(connection), inState, superseded, filter.sql());
        try (PreparedStatement statement = PostgresStatements.prepare(connection, sql)) {
            statement.setLong(1, first);
            statement.setLong(2, end);
            statement.setString(3, "(" + after + ")");
            int next = filter.bind(statement, 4);
            statement.setInt(next, query.limit());
            statement.setLong(next + 1, MOST_BYTES);
            return read(statement, query.limit(), slot, end < blocks ? end + ",0" : null);
        }
    }

    private static QueryFilter filter(KeyQuery query) {
        return QueryFilter.of(query, "k.key", PostgresRows.DIGEST_HEX, PostgresRows::parameter);
    }

    private KeyPage read(PreparedStatement statement, int limit, int slot, @Nullable String nextBlocks)
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
        if (moreHere) {
            return new KeyPage(records, cursor(slot, last.substring(1, last.length() - 1)));
        }
        if (nextBlocks != null) {
            return new KeyPage(records, cursor(slot, nextBlocks));
        }
        return new KeyPage(records, slot + 1 < tables.size() ? cursor(slot + 1, "0,0") : null);
    }

    private static String cursor(int slot, String address) {
        return slot == 0 ? address : slot + "/" + address;
    }
}
