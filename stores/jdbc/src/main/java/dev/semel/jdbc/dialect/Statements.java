package dev.semel.jdbc.dialect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements that are not on the request path. Parameters are bound in order with {@code setObject}.
 *
 * @param preparation how a statement is prepared
 */
public record Statements(Preparation preparation) {

    /** Prepares as the driver does by itself. */
    public static final Statements PLAIN = new Statements(Connection::prepareStatement);

    /** Prepares a statement. */
    @FunctionalInterface
    public interface Preparation {

        PreparedStatement prepare(Connection connection, String sql) throws SQLException;
    }

    /** Reads the row under the cursor. */
    @FunctionalInterface
    public interface RowReader<T> {

        T read(ResultSet row) throws SQLException;
    }

    /** How many rows the statement changes. */
    public int update(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = preparation.prepare(connection, sql)) {
            bind(statement, parameters);
            return statement.executeUpdate();
        }
    }

    /** Reads the only row of a query. */
    public <T> T one(Connection connection, String sql, RowReader<T> reader, @Nullable Object... parameters)
            throws SQLException {
        List<T> rows = all(connection, sql, reader, parameters);
        if (rows.isEmpty()) {
            throw new SQLException("no row answers " + sql);
        }
        return rows.get(0);
    }

    /** Reads the first row of a query, or returns {@code null} if there is none. */
    public <T> @Nullable T first(Connection connection, String sql, RowReader<T> reader, @Nullable Object... parameters)
            throws SQLException {
        List<T> rows = all(connection, sql, reader, parameters);
        return rows.isEmpty() ? null : rows.get(0);
    }

    /** Reads each row of a query. */
    public <T> List<T> all(Connection connection, String sql, RowReader<T> reader, @Nullable Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = preparation.prepare(connection, sql)) {
            bind(statement, parameters);
            List<T> all = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    all.add(reader.read(rows));
                }
            }
            return all;
        }
    }

    private static void bind(PreparedStatement statement, @Nullable Object[] parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
    }
}
