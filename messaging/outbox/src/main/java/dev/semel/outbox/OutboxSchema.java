package dev.semel.outbox;

import dev.semel.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** The tables of an outbox. */
final class OutboxSchema {

    private OutboxSchema() {}

    static String script(OutboxName name) {
        try (InputStream in = OutboxSchema.class.getResourceAsStream("version-1.sql")) {
            if (in == null) {
                throw new IllegalStateException("the schema is missing from the jar");
            }
            return name.in(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Creates the tables if they do not exist. If several nodes do this at the same time, one of them does the work.
     */
    static void create(DataSource dataSource, OutboxName name) {
        try {
            SqlTransaction.inTransaction(dataSource, connection -> {
                requirePostgres(connection);
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SELECT pg_advisory_xact_lock(hashtextextended('" + name + " schema', 0))");
                    boolean missing = !exists(connection, name);
                    if (missing) {
                        statement.executeUpdate(script(name));
                        new Partitions(dataSource, name, Duration.ofDays(1)).begin(connection);
                    }
                    return missing;
                }
            });
        } catch (SQLException e) {
            throw new StoreException("could not create the tables of " + name + ": " + e.getMessage(), e);
        }
    }

    static void check(DataSource dataSource, OutboxName name) {
        try (Connection connection = dataSource.getConnection()) {
            requirePostgres(connection);
            if (!exists(connection, name)) {
                throw new StoreException(
                        "there is no table " + name + "; create it with the script from Outbox.script(), or let"
                                + " the outbox"
                                + " do it with createIfMissing()",
                        null);
            }
        } catch (SQLException e) {
            throw new StoreException("could not look for the tables of " + name + ": " + e.getMessage(), e);
        }
    }

    private static boolean exists(Connection connection, OutboxName name) throws SQLException {
        return isTrue(connection, "SELECT to_regclass('" + name + "') IS NOT NULL");
    }

    static boolean isTrue(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private static void requirePostgres(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        if (!product.equals("PostgreSQL")) {
            throw new StoreException(
                    "an outbox needs PostgreSQL, but this is " + product + "; give the outbox the DataSource of a"
                            + " PostgreSQL that the business writes to, or send in an operation of its own, with"
                            + " Policy.external() and attempt.childKey(), after the transaction",
                    null);
        }
    }
}
