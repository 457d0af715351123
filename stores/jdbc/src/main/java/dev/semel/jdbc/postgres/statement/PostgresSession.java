package dev.semel.jdbc.postgres.statement;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.postgresql.PGConnection;

/**
 * Tells whether a connection has a session of the server to itself, or shares it through a pooler.
 *
 * <p>A pooler makes up the process number that it tells its clients; the session knows its real one. A client that told the
 * driver never to name statements is believed in any case.
 */
public final class PostgresSession {

    private static final Map<PGConnection, Boolean> OWN = Collections.synchronizedMap(new WeakHashMap<>());

    private PostgresSession() {}

    /** Asks the server once for each physical connection. Inside a transaction of the application it does not ask. */
    public static boolean isOwn(Connection connection) throws SQLException {
        if (!connection.getAutoCommit() || !connection.isWrapperFor(PGConnection.class)) {
            return false;
        }
        PGConnection physical = connection.unwrap(PGConnection.class);
        Boolean known = OWN.get(physical);
        if (known == null) {
            known = physical.getPrepareThreshold() != 0 && physical.getBackendPID() == realPid(connection);
            OWN.put(physical, known);
        }
        return known;
    }

    private static int realPid(Connection connection) throws SQLException {
        return PostgresStatements.UNNAMED.one(connection, "SELECT pg_backend_pid()", row -> row.getInt(1));
    }
}
