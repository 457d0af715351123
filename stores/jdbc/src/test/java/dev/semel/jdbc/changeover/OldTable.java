package dev.semel.jdbc.changeover;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.changeover.LegacyKeys;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

// quoted: table
/** The table of keys that the application had before, for Semel. */
final class OldTable implements LegacyKeys {

    private final DataSource database;

    OldTable(DataSource database) {
        this.database = database;
    }

    @Override
    public RowState claim(Key key, String operation, long token) throws SQLException {
        while (true) {
            int taken = update("""
                    INSERT INTO requests (customer, request_key, state, semel_token) VALUES (?, ?, 'locked', ?)
                    ON CONFLICT (customer, request_key) DO UPDATE SET semel_token = EXCLUDED.semel_token
                    WHERE requests.state = 'locked' AND requests.semel_token <= EXCLUDED.semel_token""", key.scope(), key.value(), token);
            if (taken == 1) {
                return new RowState.Taken();
            }
            RowState answer = read(key);
            if (answer != null) {
                return answer;
            }
        }
    }

    /** What the row says, or null if it has just been removed. */
    private RowState read(Key key) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(
                        "SELECT state, status, body FROM requests WHERE customer = ? AND request_key = ?")) {
            select.setString(1, key.scope());
            select.setString(2, key.value());
            ResultSet row = select.executeQuery();
            if (!row.next()) {
                return null;
            }
            return row.getString("state").equals("locked")
                    ? new RowState.InProgress()
                    : new RowState.Settled(Outcome.succeeded()
                            .status(row.getInt("status"))
                            .contentType("text/plain")
                            .payload(row.getString("body"))
                            .build());
        }
    }

    @Override
    public void settle(Key key, long token, Outcome outcome) throws SQLException {
        byte[] body = outcome.payload();
        update(
                """
                UPDATE requests SET state = 'done', status = ?, body = ?
                WHERE customer = ? AND request_key = ? AND state = 'locked' AND semel_token <= ?""",
                outcome.status(),
                body == null ? null : new String(body, StandardCharsets.UTF_8),
                key.scope(),
                key.value(),
                token);
    }

    @Override
    public void release(Key key, long token) throws SQLException {
        update(
                "DELETE FROM requests WHERE customer = ? AND request_key = ? AND state = 'locked' AND semel_token = ?",
                key.scope(),
                key.value(),
                token);
    }

    private int update(String sql, Object... values) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }
}
// end
