package dev.semel.jdbc.row;

import dev.semel.jdbc.dialect.Statements;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.DecisionLog.Entry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table of decisions, which is only ever inserted into and read. Times are texts in ISO 8601, so that it is the same in every
 * database and can be read in each.
 *
 * @param statements how statements are prepared
 */
public record DecisionTable(TableName table, Statements statements) {

    private static final String INSERT = """
            INSERT INTO {key}_decision
                (decided_at, decided_by, address, action, subject, operation, token, before_it, after_it, reason)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String READ = "SELECT * FROM {key}_decision WHERE id < ?";

    /** Adds an entry, in the transaction that the connection is in. */
    public void add(Connection connection, Instant now, Entry entry) throws SQLException {
        String operation = entry.operation();
        statements.update(
                connection,
                table.in(INSERT),
                now.toString(),
                EscapedText.escape(entry.by().name()),
                entry.by().address(),
                entry.action(),
                EscapedText.escape(entry.subject()),
                operation == null ? null : EscapedText.escape(operation),
                entry.token(),
                EscapedText.escape(entry.before()),
                EscapedText.escape(entry.after()),
                EscapedText.escape(entry.reason()));
    }

    /** See {@link DecisionLog#entries}. */
    public List<Entry> entries(Connection connection, @Nullable String subject, long before, int limit)
            throws SQLException {
        long below = before == 0 ? Long.MAX_VALUE : before;
        int most = Math.max(1, Math.min(limit, DecisionLog.MAX_LIMIT));
        String latestFirst = " ORDER BY id DESC LIMIT " + most;
        return subject == null
                ? statements.all(connection, table.in(READ + latestFirst), DecisionTable::read, below)
                : statements.all(
                        connection,
                        table.in(READ + " AND subject = ?" + latestFirst),
                        DecisionTable::read,
                        below,
                        EscapedText.escape(subject));
    }

    private static Entry read(ResultSet row) throws SQLException {
        String operation = row.getString("operation");
        return Entry.builder(
                        row.getString("action"),
                        EscapedText.unescape(row.getString("subject")),
                        new DecisionLog.Person(
                                EscapedText.unescape(row.getString("decided_by")), row.getString("address")))
                .added(row.getLong("id"), Instant.parse(row.getString("decided_at")))
                .key(operation == null ? null : EscapedText.unescape(operation), row.getLong("token"))
                .change(
                        EscapedText.unescape(row.getString("before_it")),
                        EscapedText.unescape(row.getString("after_it")))
                .reason(EscapedText.unescape(row.getString("reason")))
                .build();
    }
}
