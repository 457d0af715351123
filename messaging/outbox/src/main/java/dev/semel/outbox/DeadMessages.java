package dev.semel.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The statements for messages that were given up. */
record DeadMessages(DataSource dataSource, OutboxName name) {

    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

    private static final String LIST = """
            SELECT id, created_at, died_at, destination, aggregate, key, content_type, headers, payload, attempts, error
            FROM {outbox}_dead ORDER BY id LIMIT ?""";

    private static final String REVIVE = """
            WITH revived AS (DELETE FROM {outbox}_dead WHERE id = ? RETURNING *),
            added AS (
                INSERT INTO {outbox} (destination, aggregate, key, content_type, headers, payload)
                SELECT destination, aggregate, key, content_type, headers, payload FROM revived)
            SELECT key, (extract(epoch FROM clock_timestamp() - created_at) * 1000)::bigint AS age FROM revived""";

    private static final String DISCARD = "DELETE FROM {outbox}_dead WHERE id = ?";

    List<DeadMessage> list(int limit) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(name.in(LIST))) {
            statement.setInt(1, limit);
            try (ResultSet rows = statement.executeQuery()) {
                List<DeadMessage> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(new DeadMessage(
                            rows.getLong("id"),
                            OutboxMessage.read(rows, rows.getString("destination")),
                            rows.getObject("created_at", OffsetDateTime.class).toInstant(),
                            rows.getObject("died_at", OffsetDateTime.class).toInstant(),
                            rows.getInt("attempts"),
                            rows.getString("error")));
                }
                return found;
            }
        }
    }

    boolean revive(long id) throws SQLException {
        return SqlTransaction.inTransaction(dataSource, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(name.in(REVIVE))) {
                statement.setLong(1, id);
                try (ResultSet row = statement.executeQuery()) {
                    if (!row.next()) {
                        return false;
                    }
                    Duration age = Duration.ofMillis(row.getLong("age"));
                    if (age.compareTo(OutboxRelay.LATE) > 0) {
                        LOG.warn(OutboxRelay.LATE_WARNING, "message " + id, row.getString("key"), age);
                    }
                    return true;
                }
            }
        });
    }

    boolean discard(long id) throws SQLException {
        return SqlTransaction.inTransaction(
                dataSource, connection -> SqlTransaction.update(connection, name.in(DISCARD), id) == 1);
    }
}
