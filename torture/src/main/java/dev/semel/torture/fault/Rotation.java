package dev.semel.torture.fault;

import dev.semel.torture.database.PostgresCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Lets the nodes rotate the generations of their table, all the time: it makes a rotation due, and lets them empty old
 * slots as if everything in them was carried over because it is kept for long.
 */
public record Rotation(PostgresCluster database) implements InjectedFault {

    private static final long PATIENCE_SECONDS = 10;
    private static final int POLL_MILLIS = 20;

    private static final String DUE = "UPDATE semel_key_rotation SET since = since - interval '1000 days'";

    private static final String IN_THE_WAY = """
            SELECT slot, array_agg(digest)
            FROM (
                SELECT s.slot, k.digest, row_number() OVER (PARTITION BY s.slot ORDER BY k.digest) / 200 AS part
                FROM semel_key_slot s
                JOIN semel_key k ON k.tableoid = ('semel_key_' || s.slot)::regclass
                WHERE s.closed IS NOT NULL AND k.state <> 4
            ) k
            GROUP BY slot, part""";

    private static final String CARRY = "SELECT semel_key_carry(?::smallint, ?)";

    private static final String LOOK = "UPDATE semel_key_slot SET look_at = clock_timestamp() WHERE closed IS NOT NULL";

    @Override
    public String inject(Random random) throws Exception {
        try (Connection connection = database.direct().getConnection();
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout((int) PATIENCE_SECONDS);
            long before = turn(statement);
            statement.executeUpdate(DUE);
            long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (turn(statement) < before + 2 && System.nanoTime() < patience) {
                carry(connection);
                statement.executeUpdate(LOOK);
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS + random.nextInt(POLL_MILLIS));
            }
            return turn(statement) < before + 2 ? "" : "by a node";
        } catch (SQLException e) {
            // The database is broken in another way at the moment.
            return "";
        }
    }

    private static void carry(Connection connection) throws SQLException {
        try (PreparedStatement find = connection.prepareStatement(IN_THE_WAY);
                PreparedStatement carry = connection.prepareStatement(CARRY);
                ResultSet rows = find.executeQuery()) {
            while (rows.next()) {
                carry.setInt(1, rows.getInt(1));
                carry.setArray(2, rows.getArray(2));
                carry.executeQuery().close();
            }
        }
    }

    /** Two turns are one rotation. */
    private static long turn(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT turn FROM semel_key_rotation")) {
            row.next();
            return row.getLong(1);
        }
    }
}
