package dev.semel.jdbc.dialect;

import dev.semel.spi.KeyQuery;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a query except the state, on a row {@code k} of the table of keys.
 *
 * @param sql each condition with {@code AND} in front of it
 */
public record QueryFilter(String sql, List<Object> parameters) {

    /** In its column, a description of the request may follow after a space. */
    private static final String TRACE = "[0-9a-f]{32}";

    /**
     * The filter of a query.
     *
     * @param key how the column of key values is named
     * @param digest an expression for the digest in hexadecimal digits, all of them small letters
     * @param time how a time is bound
     */
    public static QueryFilter of(KeyQuery query, String key, String digest, Function<Instant, Object> time) {
        Conditions all = new Conditions();
        all.equal("k.operation", query.operation());
        all.equal("k.scope", query.scope());
        all.equal(key, query.value());
        if (query.claimedFrom() != null) {
            all.add(" AND k.claimed_at >= ?", time.apply(query.claimedFrom()));
        }
        if (query.claimedBefore() != null) {
            all.add(" AND k.claimed_at < ?", time.apply(query.claimedBefore()));
        }
        String text = query.text();
        if (text != null) {
            int length = text.codePointCount(0, text.length());
            all.add(" AND (substr(" + key + ", 1, " + length + ") = ? OR k.scope = ?", text);
            all.parameters.add(text);
            if (text.matches(TRACE)) {
                all.add(" OR k.trace_id = ? OR k.trace_id LIKE ?", text);
                all.parameters.add(text + " %");
            }
            if (query.digestPrefix() != null) {
                all.add(" OR " + digest + " LIKE ?", query.digestPrefix() + "%");
            }
            all.sql.append(')');
        }
        return new QueryFilter(all.sql.toString(), all.parameters);
    }

    /** Binds the parameters from an index on, and returns the next one. */
    public int bind(PreparedStatement statement, int first) throws SQLException {
        int next = first;
        for (Object parameter : parameters) {
            statement.setObject(next++, parameter);
        }
        return next;
    }

    private static final class Conditions {

        private final StringBuilder sql = new StringBuilder();
        private final List<Object> parameters = new ArrayList<>();

        void equal(String column, @Nullable String value) {
            if (value != null) {
                add(" AND " + column + " = ?", value);
            }
        }

        void add(String condition, Object parameter) {
            sql.append(condition);
            parameters.add(parameter);
        }
    }
}
