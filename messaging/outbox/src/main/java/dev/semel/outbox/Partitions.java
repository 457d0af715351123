package dev.semel.outbox;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the partitions of the coming days, and drops those whose messages have all been delivered long ago.
 *
 * <p>Both wait only a moment for their locks, because transactions of the business queue behind them; what did not work
 * out is tried again in the next round. A partition is attached only before its day: a message that is being added to the
 * default partition at that moment would be refused. The database's clock and UTC decide what a day is.
 */
record Partitions(DataSource dataSource, OutboxName name, Duration retention) {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
    private static final int DAYS_AHEAD = 7;
    private static final int DELETES = 10_000;
    private static final Duration MARGIN = Duration.ofMinutes(10);
    private static final DateTimeFormatter SUFFIX = DateTimeFormatter.ofPattern("yyyyMMdd");

    /** Creates the partitions of a new, empty outbox. */
    void begin(Connection connection) throws SQLException {
        LocalDate today = today(connection, Duration.ZERO);
        for (int day = 0; day <= DAYS_AHEAD; day++) {
            create(connection, today.plusDays(day));
        }
    }

    void maintain() throws SQLException {
        LocalDate today;
        LocalDate soon;
        try (Connection connection = dataSource.getConnection()) {
            today = today(connection, Duration.ZERO);
            soon = today(connection, MARGIN);
        }
        for (int day = 1; day <= DAYS_AHEAD; day++) {
            LocalDate date = soon.plusDays(day);
            attempt("make the partition of " + date, connection -> create(connection, date));
        }
        LocalDate last = today.minusDays(Math.max(1, retention.toDays()));
        for (LocalDate date : days()) {
            if (date.isBefore(last)) {
                attempt("drop the partition of " + date, connection -> drop(connection, date));
            }
        }
        attempt("empty the default partition", this::emptyDefault);
    }

    private interface Step {
        void run(Connection connection) throws SQLException;
    }

    private void attempt(String what, Step step) {
        try {
            SqlTransaction.inTransaction(dataSource, connection -> {
                execute(connection, "SET LOCAL lock_timeout = '1s'");
                execute(connection, "SELECT pg_advisory_xact_lock(hashtextextended('{outbox} partitions', 0))");
                step.run(connection);
                return true;
            });
        } catch (SQLException e) {
            LOG.info("could not {} of {} now: {}", what, name, e.getMessage());
        }
    }

    private String partition(LocalDate date) {
        return "{outbox}_" + SUFFIX.format(date);
    }

    /** Attached, and not created as a partition, which would lock out those who add messages. */
    private void create(Connection connection, LocalDate date) throws SQLException {
        String partition = partition(date);
        if (days(connection).contains(date)) {
            return;
        }
        execute(
                connection,
                "CREATE TABLE " + partition + " (LIKE {outbox} INCLUDING ALL)"
                        + " WITH (autovacuum_vacuum_scale_factor = 0.02)");
        execute(
                connection,
                "ALTER TABLE {outbox} ATTACH PARTITION " + partition + " FOR VALUES FROM ('" + date
                        + " 00:00:00+00') TO ('" + date.plusDays(1) + " 00:00:00+00')");
    }

    /** With the lock, no transaction can have an uncommitted message in the partition, so none can be overlooked. */
    private void drop(Connection connection, LocalDate date) throws SQLException {
        String partition = partition(date);
        execute(connection, "LOCK TABLE " + partition + " IN ACCESS EXCLUSIVE MODE");
        if (!OutboxSchema.isTrue(
                connection, name.in("SELECT EXISTS (SELECT 1 FROM " + partition + " WHERE done_at IS NULL)"))) {
            execute(connection, "DROP TABLE " + partition);
        }
    }

    private void emptyDefault(Connection connection) throws SQLException {
        execute(
                connection,
                "DELETE FROM {outbox}_default WHERE ctid IN (SELECT ctid FROM {outbox}_default WHERE done_at IS NOT NULL"
                        + " AND created_at < clock_timestamp() - interval '" + retention.toMillis() + " ms' LIMIT "
                        + DELETES + ")");
    }

    /** Today, or the day after some time. */
    private static LocalDate today(Connection connection, Duration ahead) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT clock_timestamp()")) {
            row.next();
            return row.getObject(1, OffsetDateTime.class)
                    .plus(ahead)
                    .withOffsetSameInstant(ZoneOffset.UTC)
                    .toLocalDate();
        }
    }

    private List<LocalDate> days() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return days(connection);
        }
    }

    /** The days that have a partition. */
    private List<LocalDate> days(Connection connection) throws SQLException {
        List<LocalDate> days = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(name.in("SELECT c.relname FROM pg_inherits i"
                        + " JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = '{outbox}'::regclass"))) {
            while (rows.next()) {
                String suffix = rows.getString(1).substring(name.name().length() + 1);
                if (suffix.matches("[0-9]{8}")) {
                    days.add(LocalDate.parse(suffix, SUFFIX));
                }
            }
        }
        return days;
    }

    private void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(name.in(sql));
        }
    }
}
