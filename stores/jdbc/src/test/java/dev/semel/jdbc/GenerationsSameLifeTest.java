package dev.semel.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * The same for a table that keeps its keys in generations. Whenever time goes by, new keys begin to go to the next slot, or that
 * is over and keys are carried there. Nothing is emptied, because the state machine does not forget either.
 */
class GenerationsSameLifeTest extends PostgresSameLifeTest {

    private static final String BEGIN = """
            UPDATE semel_key_rotation
            SET guarded = slot, slot = (slot + 1) % 4, since = clock_timestamp(), turn = turn + 1
            WHERE guarded IS NULL""";

    private static final String END = """
            UPDATE semel_key_rotation r
            SET guarded = NULL, turn = r.turn + 1
            FROM semel_key_rotation before
            WHERE before.guarded IS NOT NULL
            RETURNING before.guarded""";

    private static final String CARRY = """
            SELECT semel_key_carry(%1$s::smallint, ARRAY(
                SELECT digest FROM semel_key_%1$s
                WHERE scope = ? AND (state IN (0, 1) OR state IN (2, 3) AND expires_at > clock_timestamp())))""";

    @Override
    Duration rotateEvery() {
        return Duration.ofHours(12);
    }

    @Override
    void age(Connection connection, String scope, Duration duration) throws SQLException {
        super.age(connection, scope, duration);
        try (Statement statement = connection.createStatement()) {
            if (statement.executeUpdate(BEGIN) == 1) {
                return;
            }
            try (ResultSet row = statement.executeQuery(END)) {
                row.next();
                carry(connection, row.getInt(1), scope);
            }
        }
    }

    private static void carry(Connection connection, int from, String scope) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CARRY.formatted(from))) {
            statement.setString(1, scope);
            statement.executeQuery().close();
        }
    }
}
