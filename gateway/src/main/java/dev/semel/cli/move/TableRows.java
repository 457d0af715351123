package dev.semel.cli.move;

import dev.semel.check.Secrets;
import dev.semel.gateway.config.ConfigException;
import dev.semel.gateway.files.DatabaseFile;
import java.nio.file.Files;
import java.sql.Blob;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table or a query, in the order of a column. The rows are those of one moment, and read as they are needed. A row's
 * position is its value in that column, and reading begins with all rows that have the value, so it need not be unique.
 */
final class TableRows implements RowSource {

    static final String USER = "SEMEL_FROM_USER";
    static final String PASSWORD = "SEMEL_FROM_PASSWORD";

    private static final String SQLITE = "jdbc:sqlite:";
    private static final String POSTGRES = "jdbc:postgresql:";
    private static final int FETCHED = 200;

    private final Connection connection;
    private final PreparedStatement statement;
    private final List<String> columns;
    private final String order;
    private @Nullable ResultSet rows;

    private TableRows(Connection connection, PreparedStatement statement, List<String> columns, String order) {
        this.connection = connection;
        this.statement = statement;
        this.columns = columns;
        this.order = order;
    }

    /** Whether a source is a database and not a file. */
    static boolean isUrl(String from) {
        return from.startsWith("jdbc:") || from.startsWith("sqlite:");
    }

    /** @param from the position to begin at, or {@code null} for the first row */
    static TableRows open(String url, TableMapping mapping, @Nullable Object from) throws SQLException {
        String table = mapping.rows();
        if (table == null) {
            throw new ConfigException("the mapping names neither a table nor a query of " + Secrets.url(url));
        }
        Connection connection = connect(url);
        try {
            Set<String> columns = new LinkedHashSet<>(mapping.columns().values());
            columns.add(mapping.order());
            String order = mapping.order();
            PreparedStatement statement = connection.prepareStatement("SELECT " + String.join(", ", columns) + " FROM "
                    + table + " semel_rows" + (from == null ? "" : " WHERE " + order + " >= ?") + " ORDER BY " + order);
            if (from instanceof Number number) {
                statement.setLong(1, number.longValue());
            } else if (from != null && connection.getMetaData().getURL().startsWith(POSTGRES)) {
                statement.setObject(1, from, Types.OTHER);
            } else if (from != null) {
                statement.setString(1, from.toString());
            }
            statement.setFetchSize(FETCHED);
            return new TableRows(connection, statement, List.copyOf(columns), order);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private static Connection connect(String given) throws SQLException {
        String url = (given.startsWith("sqlite:") ? "jdbc:" + given : given)
                // MariaDB's driver speaks to MySQL too, as for stores.
                .replaceFirst("^jdbc:mysql:", "jdbc:mariadb:");
        Properties properties = new Properties();
        String user = System.getenv(USER);
        if (user != null && !url.startsWith(SQLITE)) {
            properties.setProperty("user", user);
            String password = System.getenv(PASSWORD);
            properties.setProperty("password", password == null ? "" : password);
        }
        if (url.startsWith(SQLITE)) {
            DatabaseFile.of(url.substring(SQLITE.length()))
                    .filter(file -> !Files.isRegularFile(file))
                    .ifPresent(missing -> {
                        throw new ConfigException("--from: there is no database " + missing);
                    });
        }
        try {
            Connection connection = DriverManager.getConnection(url, properties);
            if (!url.startsWith(SQLITE)) {
                connection.setReadOnly(true);
            }
            if (url.startsWith("jdbc:mariadb:")) {
                try (Statement zone = connection.createStatement()) {
                    // So that a TIMESTAMP is read in the zone that a mapping has by default.
                    zone.execute("SET time_zone = '+00:00'");
                }
            }
            // PostgreSQL's driver reads row by row inside of a transaction only.
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            // Without its cause, which may have the URL with its password.
            throw new ConfigException("--from: cannot connect to " + Secrets.url(url) + ": "
                    + Secrets.without(url, String.valueOf(e.getMessage())));
        }
    }

    @Override
    public @Nullable SourceRow next() throws SQLException {
        ResultSet found = rows;
        if (found == null) {
            found = statement.executeQuery();
            rows = found;
        }
        if (!found.next()) {
            return null;
        }
        Map<String, Object> cells = new HashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            Object cell = cell(found, i + 1);
            if (cell != null) {
                cells.put(columns.get(i), cell);
            }
        }
        int at = columns.indexOf(order) + 1;
        Object position = found.getObject(at);
        if (position == null) {
            throw new ConfigException("order: a row has no value in column " + order
                    + "; order by a column without NULL, such as the primary key");
        }
        boolean whole = position instanceof Long || position instanceof Integer || position instanceof Short;
        return new SourceRow(whole ? (Object) ((Number) position).longValue() : found.getString(at), cells);
    }

    private static @Nullable Object cell(ResultSet row, int at) throws SQLException {
        Object value = row.getObject(at);
        return value instanceof byte[] || value instanceof Blob ? row.getBytes(at) : row.getString(at);
    }

    @Override
    public void close() throws SQLException {
        try (Connection closing = connection) {
            closing.rollback();
        }
    }
}
