package dev.semel.jdbc.postgres.statement;

import dev.semel.jdbc.dialect.Statements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.postgresql.PGStatement;

/** Prepares statements so that they are safe behind a pooler. */
public final class PostgresStatements {

    /** The state of a statement that waited for a lock until its lock timeout. */
    public static final String LOCK_TIMEOUT = "55P03";

    /** Statements that are not on the request path. */
    public static final Statements UNNAMED = new Statements(PostgresStatements::prepare);

    private static final int NEVER_NAMED = 0;
    private static final int NAMED_AT_ONCE = 1;

    private PostgresStatements() {}

    /**
     * Prepares a statement that the driver does not name on the server: a pooler could route its next use to a session
     * that does not have it, or that has another one of the same name.
     */
    public static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return prepare(connection, sql, NEVER_NAMED);
    }

    /** Prepares a statement that is used all the time, by name where that is safe. */
    public static PreparedStatement prepareOften(Connection connection, String sql) throws SQLException {
        return prepare(connection, sql, PostgresSession.isOwn(connection) ? NAMED_AT_ONCE : NEVER_NAMED);
    }

    private static PreparedStatement prepare(Connection connection, String sql, int threshold) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        if (statement.isWrapperFor(PGStatement.class)) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(threshold);
        }
        return statement;
    }
}
