package dev.semel.jdbc.postgres;

import dev.semel.jdbc.dialect.KeyTable;
import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.SqlFailure;
import dev.semel.jdbc.dialect.Statements;
import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.jdbc.dialect.TableInspection;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.dialect.Upkeep;
import dev.semel.jdbc.postgres.statement.PostgresStatements;
import dev.semel.jdbc.postgres.statement.PostgresTransaction;
import dev.semel.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** PostgreSQL, from version 13. */
public final class PostgresDialect implements SqlDialect {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresDialect.class);
    private static final int OLDEST_SERVER = 13;

    /**
     * No connection, a statement that the session does not know, wrong login or database, rolled back by the server, out
     * of resources, shut down, broken disk.
     */
    private static final Set<String> TRANSIENT = Set.of("08", "26", "28", "3D", "40", "53", "57", "58");

    private static final String READ_ONLY = "25006";

    /** A call that began before the table was switched to generations; the next one goes to the function of today. */
    static final String NOT_IN_SLOTS = "23514";

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public String product() {
        return "PostgreSQL";
    }

    @Override
    public @Nullable String currentSchema(Connection connection) throws SQLException {
        return connection.getSchema();
    }

    @Override
    public String usualSchema() {
        return "public";
    }

    @Override
    public int installedVersion(Connection connection, TableName table) throws SQLException {
        requireUsableServer(connection);
        String versionFunction = table.in("{key}_version()");
        if (first(connection, "SELECT to_regprocedure('" + versionFunction + "')::text") == null) {
            return 0;
        }
        return Integer.parseInt(String.valueOf(first(connection, "SELECT " + versionFunction)));
    }

    private static @Nullable String first(Connection connection, String query) throws SQLException {
        return PostgresStatements.UNNAMED.one(connection, query, row -> row.getString(1));
    }

    /** Standbys have it in common with the primary, and an upgrade of the server keeps it. */
    @Override
    public String identity(Connection connection, TableName table) throws SQLException {
        return "=" + first(connection, "SELECT '" + table + "'::regclass::oid::text");
    }

    private static void requireUsableServer(Connection connection) throws SQLException {
        int server = connection.getMetaData().getDatabaseMajorVersion();
        if (server < OLDEST_SERVER) {
            throw new StoreException(
                    "PostgreSQL " + OLDEST_SERVER + " or newer is needed, the server is version " + server, null);
        }
        String encoding = first(connection, "SHOW server_encoding");
        if (!"UTF8".equals(encoding)) {
            throw new StoreException(
                    "the database must have the encoding UTF8 to hold every key, it has " + encoding
                            + "; create it with ENCODING 'UTF8' TEMPLATE template0",
                    null);
        }
        if ("off".equals(first(connection, "SHOW fsync"))) {
            LOG.warn("PostgreSQL runs with fsync=off: a crash of the server can lose keys, and then operations run"
                    + " twice. Set fsync=on.");
        }
    }

    @Override
    public void lockSchema(Connection connection, TableName table) throws SQLException {
        first(connection, "SELECT pg_advisory_xact_lock(hashtextextended('semel schema " + table + "', 0))::text");
    }

    @Override
    public KeyTable keyTable(TableName table, boolean inGenerations) {
        return new PostgresKeyTable(table, inGenerations);
    }

    @Override
    public Statements statements() {
        return PostgresStatements.UNNAMED;
    }

    @Override
    public <T> T inTransaction(Connection connection, StoreConnections.Work<T> work) throws SQLException {
        return PostgresTransaction.run(connection, work);
    }

    @Override
    public TableInspection inspection(TableName table, Upkeep upkeep) {
        return PostgresInspection.of(table, upkeep);
    }

    @Override
    public boolean keepsAuditWindow() {
        return true;
    }

    @Override
    public List<String> functionScripts() {
        return List.of("decisions", "claim", "write", "upkeep");
    }

    @Override
    public String generationsScript() {
        return "generations";
    }

    @Override
    public boolean keepsGenerations(Connection connection, TableName table) throws SQLException {
        return first(connection, table.in("SELECT to_regclass('{key}_rotation')::text")) != null;
    }

    @Override
    public SqlFailure failure(SQLException failure) {
        String state = failure.getSQLState();
        if (state == null || state.length() < 2 || READ_ONLY.equals(state) || NOT_IN_SLOTS.equals(state)) {
            return SqlFailure.TRANSIENT;
        }
        if (PostgresStatements.LOCK_TIMEOUT.equals(state)) {
            return SqlFailure.LOCKED;
        }
        return TRANSIENT.contains(state.substring(0, 2)) ? SqlFailure.TRANSIENT : SqlFailure.REFUSED;
    }
}
