package dev.semel.jdbc.innodb;

import static dev.semel.jdbc.dialect.Statements.PLAIN;

import dev.semel.jdbc.dialect.KeyTable;
import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.SqlFailure;
import dev.semel.jdbc.dialect.TableInspection;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.dialect.Upkeep;
import dev.semel.jdbc.row.OwnerWrite;
import dev.semel.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The common part of MariaDB and MySQL: InnoDB, its row locks and its clock. One server accepts writes. */
abstract class InnoDbDialect implements SqlDialect {

    /** The server's time in microseconds, as of when the statement began. Local time would repeat an hour each autumn. */
    static final String NOW = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";

    static final int LOCK_WAIT_TIMEOUT = 1205;
    static final int NOT_AT_ONCE = 3572;
    static final int TOO_LARGE = 1153;

    private static final Logger LOG = LoggerFactory.getLogger(InnoDbDialect.class);

    /** No connection, wrong login, rolled back by the server, interrupted. */
    private static final Set<String> TRANSIENT_STATES = Set.of("08", "28", "40", "70");

    /** The driver has connected to another server; what the transaction did on the one before is lost. */
    private static final String RECONNECTED = "25S03";

    /**
     * A row that has changed since it was read, disk full, out of memory, too many connections, shutting down, error of the
     * storage engine, table full, deadlock, read-only, error during commit, and two ways of being read-only.
     */
    private static final Set<Integer> TRANSIENT_CODES =
            Set.of(1020, 1021, 1037, 1038, 1040, 1053, 1030, 1114, 1213, 1290, 1180, 1792, 1836);

    /** Refuses a server that this release cannot use. */
    abstract void requireVersion(Connection connection) throws SQLException;

    /** Claims of a lane, or as part of a transaction of the application. */
    abstract InnoDbClaims claims(TableName table, boolean joined);

    /** How often a transaction of the application tries to claim a key that changes hands meanwhile. */
    abstract int joinedRounds();

    /** A write of many attempts in one statement, which does not wait for a locked row. */
    abstract InnoDbWrite.Statement manyAtOnce(TableName table, OwnerWrite<?> write);

    /** A statement of a transaction of the application that waits for a row, but not for long. */
    abstract String joined(String sql);

    /** Lets every token from now on be larger than this one. */
    abstract void raiseTokens(Connection connection, TableName table, long token) throws SQLException;

    /** How old the last token of a key has to be before its row may go. */
    abstract long tokenGraceMicros();

    @Override
    public List<String> statements(String script) {
        return Arrays.stream(script.split(";\\s*\n"))
                .filter(statement -> !statement.isBlank())
                .toList();
    }

    @Override
    public int installedVersion(Connection connection, TableName table) throws SQLException {
        requireVersion(connection);
        requireSafeSettings(connection);
        String database = table.schema() == null ? "DATABASE()" : "'" + table.schema() + "'";
        String tables = first(
                connection,
                "SELECT count(*) FROM information_schema.tables WHERE table_schema = " + database
                        + " AND table_name = '" + table.name() + "_version'");
        return tables.equals("0")
                ? 0
                : Integer.parseInt(first(connection, table.in("SELECT coalesce(max(version), 0) FROM {key}_version")));
    }

    static String createdAt(TableName table) {
        return "SELECT CAST(create_time AS CHAR) FROM information_schema.tables WHERE table_schema = DATABASE()"
                + " AND table_name = '" + table.name() + "'";
    }

    static String first(Connection connection, String query) throws SQLException {
        return PLAIN.one(connection, query, row -> String.valueOf(row.getString(1)));
    }

    private void requireSafeSettings(Connection connection) throws SQLException {
        if (!first(connection, "SELECT @@innodb_rollback_on_timeout").equals("0")) {
            throw new StoreException(
                    product()
                            + " runs with innodb_rollback_on_timeout: a claim that does not wait for another"
                            + " transaction would roll back its own transaction. Turn it off.",
                    null);
        }
        if (!first(connection, "SELECT @@innodb_flush_log_at_trx_commit").equals("1")) {
            LOG.warn(
                    "{} runs with innodb_flush_log_at_trx_commit other than 1: a crash of the server can lose keys,"
                            + " and then operations run twice. Set innodb_flush_log_at_trx_commit=1.",
                    product());
        }
        if (first(connection, "SELECT @@log_bin").equals("1")
                && !first(connection, "SELECT @@sync_binlog").equals("1")) {
            LOG.warn(
                    "{} keeps a binary log with sync_binlog other than 1: after a crash of the machine it rolls"
                            + " back the transactions that this log has lost, and with them keys, so operations"
                            + " run twice. Set sync_binlog=1.",
                    product());
        }
    }

    /** Every statement of the scripts can be repeated, and each ends the transaction that it is part of. */
    @Override
    public void lockSchema(Connection connection, TableName table) {
        LOG.debug("the tables of {} are created or upgraded without a lock", table);
    }

    @Override
    public KeyTable keyTable(TableName table, boolean inGenerations) {
        return new InnoDbKeyTable(table, this);
    }

    @Override
    public TableInspection inspection(TableName table, Upkeep upkeep) {
        return new InnoDbInspection(table, this);
    }

    @Override
    public SqlFailure failure(SQLException failure) {
        if (isLocked(failure)) {
            return SqlFailure.LOCKED;
        }
        if (failure.getErrorCode() == TOO_LARGE) {
            return SqlFailure.REFUSED;
        }
        String state = failure.getSQLState();
        boolean mayPass = state == null
                || state.length() < 2
                || state.equals(RECONNECTED)
                || TRANSIENT_STATES.contains(state.substring(0, 2))
                || TRANSIENT_CODES.contains(failure.getErrorCode());
        return mayPass ? SqlFailure.TRANSIENT : SqlFailure.REFUSED;
    }

    /** Whether another transaction holds a row. Ends the statement, and not the transaction. */
    static boolean isLocked(SQLException failure) {
        return failure.getErrorCode() == LOCK_WAIT_TIMEOUT || failure.getErrorCode() == NOT_AT_ONCE;
    }

    /** A statement with its placeholders replaced: the table and the time. */
    static String in(TableName table, String sql) {
        return table.in(sql).replace("{now}", NOW);
    }

    /** A list of placeholders, for {@code IN}. */
    static String list(int size) {
        return "(" + "?, ".repeat(size - 1) + "?)";
    }
}
