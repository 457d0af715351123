package dev.semel.torture.fault;

import dev.semel.torture.plan.TorturePlan;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** A transaction that has nothing to do with Semel holds the rows of some pending keys, for longer than their leases. */
public record RowLocks(TorturePlan plan, Supplier<DataSource> database) implements InjectedFault {

    private static final String LOCK = "SELECT digest FROM semel_key WHERE state = 0 LIMIT 5 FOR UPDATE";

    @Override
    public String inject(Random random) throws Exception {
        try (Connection connection = database.get().getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            boolean held = lock(connection);
            if (held) {
                TimeUnit.MILLISECONDS.sleep(plan.lease().toMillis() + random.nextInt(1_000));
            }
            connection.rollback();
            return held ? "of pending keys" : "";
        } catch (SQLException e) {
            // The database is broken in another way at the moment.
            return "";
        }
    }

    private static boolean lock(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(5);
            try (ResultSet rows = statement.executeQuery(LOCK)) {
                return rows.next();
            }
        }
    }
}
