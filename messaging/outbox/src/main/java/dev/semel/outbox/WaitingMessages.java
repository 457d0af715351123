package dev.semel.outbox;

import dev.semel.messaging.Backoff;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one destination that wait to be delivered.
 *
 * <p>A relay takes, in a transaction that stays open until it has delivered them, messages that are the first of their
 * aggregate, and then those behind them. Only the relay that holds the lock of an aggregate delivers its messages; the
 * database takes it back when the relay dies.
 *
 * <p>Messages behind one that failed are parked, due in eternity, so that relays that look for the first ones do not come
 * across them: however many they are, they do not slow other aggregates. They are due again as soon as that one is done.
 *
 * <p>Statements that know a message by its number name both kinds, parked and not, because that is how the index over what
 * waits begins. Without, they would read all messages that are done.
 */
record WaitingMessages(OutboxName name, String destination, int batch, Backoff backoff) {

    /** A plan that was made while the table was small must not read all of it once it is large. */
    static final String SETTINGS = "SET LOCAL enable_seqscan = off; SET LOCAL jit = off";

    /** The condition on earlier messages must be asked row by row: OFFSET keeps it from becoming a join over all rows. */
    static final String HEADS = """
            WITH heads AS MATERIALIZED (
                SELECT o.id, o.aggregate, o.key, o.content_type, o.headers, o.payload, o.attempts,
                       (extract(epoch FROM clock_timestamp() - o.created_at) * 1000)::bigint AS age
                FROM {outbox} o
                WHERE o.destination = ? AND o.done_at IS NULL AND (o.due_at = 'infinity')::int = 0
                  AND o.due_at <= clock_timestamp()
                  AND NOT EXISTS (
                      SELECT 1 FROM {outbox} e
                      WHERE e.destination = o.destination AND e.aggregate = o.aggregate AND e.aggregate IS NOT NULL
                        AND e.id < o.id AND e.done_at IS NULL
                      OFFSET 0)
                ORDER BY o.id
                LIMIT ?
                FOR UPDATE OF o SKIP LOCKED)
            SELECT * FROM heads
            WHERE aggregate IS NULL
               OR pg_try_advisory_xact_lock(hashtextextended(concat_ws(E'\\x1f', '{outbox}', ?, aggregate), 0))
            ORDER BY id""";

    private static final String BEHIND = """
            SELECT f.*
            FROM unnest(?, ?) AS h(aggregate, id)
            CROSS JOIN LATERAL (
                SELECT o.id, o.aggregate, o.key, o.content_type, o.headers, o.payload, o.attempts,
                       (extract(epoch FROM clock_timestamp() - o.created_at) * 1000)::bigint AS age,
                       o.due_at <= clock_timestamp() OR o.due_at = 'infinity' AS due
                FROM {outbox} o
                WHERE o.destination = ? AND o.aggregate = h.aggregate AND o.aggregate IS NOT NULL
                  AND o.id > h.id AND o.done_at IS NULL
                ORDER BY o.id
                LIMIT ?) AS f
            ORDER BY f.id""";

    static final String DELIVERED = """
            UPDATE {outbox} SET attempts = attempts + 1, done_at = clock_timestamp()
            WHERE destination = ? AND done_at IS NULL AND (due_at = 'infinity')::int IN (0, 1) AND id = ANY (?)""";

    static final String FAILED = """
            UPDATE {outbox} SET attempts = attempts + 1, error = ?, due_at = clock_timestamp() + ? * interval '1 ms'
            WHERE destination = ? AND done_at IS NULL AND (due_at = 'infinity')::int IN (0, 1) AND id = ?""";

    private static final String PARK = """
            UPDATE {outbox} SET due_at = 'infinity'
            WHERE destination = ? AND aggregate = ? AND id > ? AND done_at IS NULL AND due_at < 'infinity'""";

    private static final String UNPARK = """
            UPDATE {outbox} SET due_at = '-infinity'
            WHERE destination = ? AND aggregate = ANY (?) AND done_at IS NULL AND due_at = 'infinity'""";

    static final String DEAD = """
            WITH dead AS (
                UPDATE {outbox} SET attempts = attempts + 1, error = ?, done_at = clock_timestamp()
                WHERE destination = ? AND done_at IS NULL AND (due_at = 'infinity')::int IN (0, 1) AND id = ?
                RETURNING *)
            INSERT INTO {outbox}_dead
                (id, created_at, destination, aggregate, key, content_type, headers, payload, attempts, error)
            SELECT id, created_at, destination, aggregate, key, content_type, headers, payload, attempts, error
            FROM dead""";

    /** Takes some messages, those of one aggregate in one list, for as long as the transaction lasts. */
    List<List<Delivery>> take(Connection connection) throws SQLException {
        try (Statement settings = connection.createStatement()) {
            settings.execute(SETTINGS);
        }
        Map<String, List<Delivery>> ordered = new LinkedHashMap<>();
        List<List<Delivery>> taken = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(name.in(HEADS))) {
            statement.setString(1, destination);
            statement.setInt(2, batch);
            statement.setString(3, destination);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Delivery delivery = delivery(rows);
                    List<Delivery> line = new ArrayList<>(List.of(delivery));
                    taken.add(line);
                    String aggregate = delivery.message().aggregate();
                    if (aggregate != null) {
                        ordered.put(aggregate, line);
                    }
                }
            }
        }
        if (!ordered.isEmpty() && taken.size() < batch) {
            takeBehind(connection, ordered, Math.max(1, (batch - taken.size()) / ordered.size()));
        }
        return taken;
    }

    private void takeBehind(Connection connection, Map<String, List<Delivery>> ordered, int each) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(name.in(BEHIND))) {
            String[] aggregates = ordered.keySet().toArray(String[]::new);
            Long[] ids = ordered.values().stream().map(line -> line.get(0).id()).toArray(Long[]::new);
            statement.setArray(1, connection.createArrayOf("text", aggregates));
            statement.setArray(2, connection.createArrayOf("int8", ids));
            statement.setString(3, destination);
            statement.setInt(4, each);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String aggregate = rows.getString("aggregate");
                    List<Delivery> line = ordered.get(aggregate);
                    if (line == null) {
                        continue;
                    }
                    if (rows.getBoolean("due")) {
                        line.add(delivery(rows));
                    } else {
                        // What is behind it has to wait with it.
                        ordered.remove(aggregate);
                    }
                }
            }
        }
    }

    private Delivery delivery(ResultSet row) throws SQLException {
        return Delivery.of(
                row.getLong("id"),
                OutboxMessage.read(row, destination),
                row.getInt("attempts") + 1,
                Duration.ofMillis(row.getLong("age")));
    }

    void mark(Connection connection, List<DeliveryResult> results) throws SQLException {
        Long[] delivered = results.stream()
                .filter(DeliveryResult::isDelivered)
                .map(result -> result.delivery().id())
                .toArray(Long[]::new);
        if (delivered.length > 0) {
            update(connection, DELIVERED, destination, connection.createArrayOf("int8", delivered));
        }
        Set<String> recovered = new HashSet<>();
        for (DeliveryResult result : results) {
            String aggregate = result.delivery().message().aggregate();
            boolean done = result.isDelivered() || result.dead();
            long id = result.delivery().id();
            if (result.dead()) {
                update(connection, DEAD, result.error(), destination, id);
            } else if (!done) {
                Duration pause = backoff.after(result.delivery().attempt());
                long millis = Math.max(pause.toMillis(), result.after().toMillis());
                update(connection, FAILED, result.error(), millis, destination, id);
            }
            if (aggregate != null && !done) {
                update(connection, PARK, destination, aggregate, id);
                recovered.remove(aggregate);
            } else if (aggregate != null && result.delivery().attempt() > 1) {
                recovered.add(aggregate);
            }
        }
        if (!recovered.isEmpty()) {
            update(connection, UNPARK, destination, connection.createArrayOf("text", recovered.toArray()));
        }
    }

    private void update(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        SqlTransaction.update(connection, name.in(sql), parameters);
    }
}
