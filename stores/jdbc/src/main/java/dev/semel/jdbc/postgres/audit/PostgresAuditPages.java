package dev.semel.jdbc.postgres.audit;

import static dev.semel.jdbc.postgres.statement.PostgresStatements.UNNAMED;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.jdbc.dialect.QueryFilter;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.statement.PostgresBlocks;
import dev.semel.jdbc.postgres.statement.PostgresRows;
import dev.semel.jdbc.postgres.statement.PostgresStatements;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyRecord.Audited;
import dev.semel.spi.KeyState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Shows what the audit window has, behind the keys: the latest day first, and each day in the order in which its records
 * lie. The nodes that purge decide whether records go there; every node shows what is there.
 */
public record PostgresAuditPages(TableName table) {

    private static final Pattern CURSOR =
            Pattern.compile("audit/([0-9]{4}-[0-9]{2}-[0-9]{2})/(([0-9]{1,10}),[0-9]{1,5})");
    private static final String UNDEFINED_TABLE = "42P01";

    private static final String FIND = "SELECT a.* FROM {key}_audit a WHERE a.digest = ? ORDER BY a.token DESC LIMIT 1";

    /** A record that was copied, but not removed yet from where it was, is shown there. */
    private static final String PAGE = """
            SELECT k.*, k.ctid AS address
            FROM %s k
            WHERE %s AND k.ctid > ?::tid%s
                AND NOT EXISTS (
                    SELECT FROM {key} n WHERE n.digest = k.digest AND n.token = k.token AND n.state IN (2, 3))
            ORDER BY k.ctid
            LIMIT ?""";

    public Optional<KeyRecord> find(Connection connection, KeyDigest digest) throws SQLException {
        return Optional.ofNullable(
                UNNAMED.first(connection, table.in(FIND), PostgresAuditPages::read, digest.asUuid()));
    }

    /** The cursor of the first record that this query may find here. */
    @Nullable
    public String first(Connection connection, KeyQuery query) throws SQLException {
        boolean mayBeHere = query.state() == null || query.state() == KeyState.EXPIRED;
        return mayBeHere ? next(connection, LocalDate.MAX) : null;
    }

    /** The cursor of the last day before this one. */
    private @Nullable String next(Connection connection, LocalDate before) throws SQLException {
        return PostgresAuditDays.all(connection, table).stream()
                .filter(day -> day.isBefore(before))
                .findFirst()
                .map(day -> cursor(day, "0,0"))
                .orElse(null);
    }

    private static String cursor(LocalDate day, String address) {
        return "audit/" + day + "/" + address;
    }

    public static boolean isCursor(String text) {
        return CURSOR.matcher(text).matches();
    }

    public KeyPage page(Connection connection, KeyQuery query) throws SQLException {
        Matcher cursor = CURSOR.matcher(String.valueOf(query.cursor()));
        if (!cursor.matches()) {
            throw new IllegalArgumentException("not a cursor of this store: \"" + query.cursor() + "\"");
        }
        LocalDate day = LocalDate.parse(cursor.group(1));
        try {
            return page(connection, query, day, cursor.group(2), Long.parseLong(cursor.group(3)));
        } catch (SQLException e) {
            if (!UNDEFINED_TABLE.equals(e.getSQLState())) {
                throw e;
            }
            // The day was dropped between two pages, and so were those before it.
            return new KeyPage(List.of(), null);
        }
    }

    private KeyPage page(Connection connection, KeyQuery query, LocalDate day, String after, long first)
            throws SQLException {
        String partition = PostgresAuditDays.partition(table, day);
        long blocks = PostgresBlocks.count(connection, partition);
        long end = Math.min(first + PostgresBlocks.perStatement(connection), blocks);
        QueryFilter filter = QueryFilter.of(query, "k.key", PostgresRows.DIGEST_HEX, PostgresRows::parameter);
        String sql = table.in(String.format(PAGE, partition, PostgresBlocks.condition(connection), filter.sql()));
        List<KeyRecord> records = new ArrayList<>();
        String last = "";
        if (first < end) {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, sql)) {
                statement.setLong(1, first);
                statement.setLong(2, end);
                statement.setString(3, "(" + after + ")");
                statement.setInt(filter.bind(statement, 4), query.limit());
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        records.add(read(rows));
                        last = rows.getString("address");
                    }
                }
            }
        }
        if (records.size() == query.limit()) {
            return new KeyPage(records, cursor(day, last.substring(1, last.length() - 1)));
        }
        return new KeyPage(records, end < blocks ? cursor(day, end + ",0") : next(connection, day));
    }

    private static KeyRecord read(ResultSet row) throws SQLException {
        Outcome outcome = Outcome.builder(KeyRow.result(row))
                .status(row.getInt("status"))
                .payload((byte @Nullable []) null)
                .build();
        return PostgresRows.builder(row, KeyState.EXPIRED)
                .outcome(outcome)
                .audited(new Audited(row.getObject("day", LocalDate.class), row.getObject("body_bytes", Integer.class)))
                .build();
    }
}
