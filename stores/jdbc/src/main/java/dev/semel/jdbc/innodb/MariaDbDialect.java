package dev.semel.jdbc.innodb;

import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.row.OwnerWrite;
import dev.semel.store.StoreException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** MariaDB, from version 10.6. */
public final class MariaDbDialect extends InnoDbDialect {

    private static final Logger LOG = LoggerFactory.getLogger(MariaDbDialect.class);

    private static final String GALERA =
            "SELECT max(session_value) FROM information_schema.system_variables WHERE variable_name = 'WSREP_ON'";

    /** Reads, updates, deletes and inserts. */
    private static final int ALL_STATEMENTS = 7;

    /**
     * No call waits for another one: calls for locked keys wait aside, and a transaction of the application gets in
     * flight.
     */
    private static final int NO_PATIENCE = 0;

    /** A transaction of the application would have to be rolled back if its settle gave up: longer than any commit. */
    private static final int JOINED_PATIENCE = 1;

    @Override
    public String product() {
        return "MariaDB";
    }

    /** The time is that of a file, which each server has for itself. */
    @Override
    public String identity(Connection connection, TableName table) throws SQLException {
        return first(connection, "SELECT CONCAT(@@hostname, ':', @@port, ':', @@datadir)") + "="
                + first(connection, createdAt(table));
    }

    @Override
    void requireVersion(Connection connection) throws SQLException {
        DatabaseMetaData server = connection.getMetaData();
        int version = 100 * server.getDatabaseMajorVersion() + server.getDatabaseMinorVersion();
        if (version < 1006) {
            throw new StoreException(
                    "MariaDB 10.6 or newer is needed, the server is " + server.getDatabaseProductVersion(), null);
        }
        if (first(connection, GALERA).equals("ON")
                && (Integer.parseInt(first(connection, "SELECT @@wsrep_sync_wait")) & ALL_STATEMENTS)
                        != ALL_STATEMENTS) {
            LOG.warn("MariaDB belongs to a Galera cluster, and sessions do not wait for what was committed on its other"
                    + " servers: a retry can get \"in flight\" for a settled key. Set wsrep_sync_wait="
                    + ALL_STATEMENTS + ", for example by sessionVariables=wsrep_sync_wait=" + ALL_STATEMENTS
                    + " in the URL.");
        }
    }

    @Override
    InnoDbClaims claims(TableName table, boolean joined) {
        return new MariaDbClaims(table, sql -> joined ? joined(NO_PATIENCE, sql) : withPatience(NO_PATIENCE, sql));
    }

    @Override
    int joinedRounds() {
        return 2;
    }

    @Override
    InnoDbWrite.Statement manyAtOnce(TableName table, OwnerWrite<?> write) {
        String one = withPatience(NO_PATIENCE, InnoDbKeyTable.update(table, write));
        ValueColumns values = ValueColumns.of(write);
        String many = withPatience(
                NO_PATIENCE,
                in(
                        table,
                        "UPDATE {key} k FORCE INDEX ({name}_digest) JOIN (WITH u(" + values.names()
                                + "d, n, t) AS (VALUES "));
        String row = list(write.types().length() + 3);
        String end = in(
                table,
                ") SELECT * FROM u) u ON k.digest = u.d SET " + values.set()
                        + " WHERE k.nonce = u.n AND k.token = u.t AND k.state = 0");
        return writes -> writes == 1 ? one : many + (row + ", ").repeat(writes - 1) + row + end;
    }

    private static String withPatience(int seconds, String sql) {
        return "SET STATEMENT innodb_lock_wait_timeout = " + seconds + " FOR " + sql;
    }

    @Override
    String joined(String sql) {
        return joined(JOINED_PATIENCE, sql);
    }

    /**
     * A statement of a transaction of the application that writes to a row as it is now, also if that is not how the
     * transaction has seen it: a heartbeat changes the row of every attempt that lasts. What it writes is conditional on the
     * lease, and not on what was seen. Newer servers would roll back the transaction otherwise.
     */
    private static String joined(int seconds, String sql) {
        return "SET STATEMENT innodb_lock_wait_timeout = " + seconds
                + " /*M!110402 , innodb_snapshot_isolation = OFF */ FOR " + sql;
    }

    /** Has no effect where tokens are larger already. */
    @Override
    void raiseTokens(Connection connection, TableName table, long token) throws SQLException {
        first(connection, table.in("SELECT SETVAL({key}_token, " + token + ")"));
    }

    /** Tokens come from a sequence, which never goes back. */
    @Override
    long tokenGraceMicros() {
        return 0;
    }
}
