package dev.semel.jdbc.postgres.audit;

import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.statement.PostgresStatements;
import dev.semel.jdbc.postgres.statement.PostgresTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of the audit window, one for each day: made ahead, and dropped as a whole.
 *
 * <p>Any number of nodes may do this at once. A new partition is attached to the others with a lock that neither readers
 * nor writers of the audit notice. One is dropped if the audit can be locked within a tenth of a second, and later
 * otherwise. Nothing here locks a key.
 */
public final class PostgresAuditDays {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresAuditDays.class);

    /** Today and the days ahead, in which no node may have come to make a partition. */
    private static final String MISSING = """
            SELECT day
            FROM (
                SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date + ahead AS day FROM generate_series(0, 3) ahead
            ) d
            WHERE to_regclass('{key}_audit_' || to_char(day, 'YYYYMMDD')) IS NULL
            ORDER BY day""";

    private static final String ALL = """
            SELECT day
            FROM (
                SELECT to_date(substring(c.relname FROM '_audit_([0-9]{8})$'), 'YYYYMMDD') AS day
                FROM pg_inherits i
                JOIN pg_class c ON c.oid = i.inhrelid
                WHERE i.inhparent = '{key}_audit'::regclass
            ) d
            WHERE day IS NOT NULL AND %s
            ORDER BY day DESC""";

    private static final String OVER = "day < (clock_timestamp() AT TIME ZONE 'UTC')::date - %d";

    private final TableName table;
    private final String over;

    public PostgresAuditDays(TableName table, Duration window) {
        this.table = table;
        // A day is dropped when the last record of it has been there for the whole window.
        long days = Math.max(1, window.plusDays(1).minusNanos(1).toDays());
        this.over = String.format(ALL, String.format(OVER, days));
    }

    /** The days that have a partition, the latest first. */
    static List<LocalDate> all(Connection connection, TableName table) throws SQLException {
        return days(connection, table, String.format(ALL, "true"));
    }

    static String partition(TableName table, LocalDate day) {
        return table + "_audit_" + day.toString().replace("-", "");
    }

    private static List<LocalDate> days(Connection connection, TableName table, String sql) throws SQLException {
        return PostgresStatements.UNNAMED.all(connection, table.in(sql), row -> row.getObject(1, LocalDate.class));
    }

    /** Makes the partitions that are missing, and drops the oldest one if its time is over. */
    public void keep(Connection connection) throws SQLException {
        if (!days(connection, table, MISSING).isEmpty()) {
            PostgresAudit.locked(connection, table, "SHARE UPDATE EXCLUSIVE", "5s", this::makeMissing);
        }
        List<LocalDate> over = days(connection, table, this.over);
        if (!over.isEmpty()) {
            drop(connection, over.get(over.size() - 1));
        }
    }

    private int makeMissing(Connection connection) throws SQLException {
        List<LocalDate> missing = days(connection, table, MISSING);
        for (LocalDate day : missing) {
            String partition = partition(table, day);
            PostgresTransaction.execute(connection, table.in("CREATE TABLE " + partition + " (LIKE {key}_audit)"));
            PostgresTransaction.execute(
                    connection,
                    table.in("ALTER TABLE {key}_audit ATTACH PARTITION " + partition + " FOR VALUES FROM ('" + day
                            + "') TO ('" + day.plusDays(1) + "')"));
        }
        return missing.size();
    }

    private void drop(Connection connection, LocalDate day) throws SQLException {
        try {
            PostgresAudit.locked(connection, table, "ACCESS EXCLUSIVE", PostgresAudit.BRIEFLY, locked -> {
                PostgresTransaction.execute(locked, "DROP TABLE IF EXISTS " + partition(table, day));
                return day;
            });
            LOG.debug("{} was dropped", partition(table, day));
        } catch (SQLException e) {
            if (!PostgresStatements.LOCK_TIMEOUT.equals(e.getSQLState())) {
                throw e;
            }
            LOG.debug("{} was in use and is dropped later", partition(table, day));
        }
    }
}
