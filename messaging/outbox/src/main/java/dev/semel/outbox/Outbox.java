package dev.semel.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL table for messages, written in the same transaction as the business data: both are stored, or neither.
 *
 * <p>An {@link OutboxRelay} delivers them afterwards, at least once, with an idempotency key on every delivery.
 */
public final class Outbox {

    private static final String ADD = """
            INSERT INTO {outbox} (destination, aggregate, key, content_type, headers, payload)
            VALUES (?, ?, ?, ?, string_to_array(?, E'\\n'), ?)""";

    private final DataSource dataSource;
    private final OutboxName name;
    private final String add;
    private final String wake;
    private final SleepingRelays relays = new SleepingRelays();

    private Outbox(DataSource dataSource, OutboxName name) {
        this.dataSource = dataSource;
        this.name = name;
        this.add = name.in(ADD);
        this.wake = name.in(SleepingRelays.WAKE);
    }

    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /** The SQL script that creates the tables of an outbox, if applications may not create them themselves. */
    public static String script(String schema, String table) {
        return OutboxSchema.script(new OutboxName(schema, table));
    }

    /** Adds a message in the transaction of the connection. */
    public void add(Connection connection, OutboxMessage message) throws SQLException {
        send(connection, message, add);
    }

    /** Adds messages, in this order, in the transaction of the connection, many in one round trip. */
    public void add(Connection connection, List<OutboxMessage> messages) throws SQLException {
        if (messages.isEmpty()) {
            return;
        }
        requireTransaction(connection);
        try (PreparedStatement statement = connection.prepareStatement(add)) {
            for (OutboxMessage message : messages) {
                bind(statement, 1, message);
                statement.addBatch();
            }
            statement.executeBatch();
        }
        Set<String> destinations =
                messages.stream().map(OutboxMessage::destination).collect(Collectors.toSet());
        for (String destination : destinations) {
            if (relays.mayInclude(destination)) {
                wake(connection, destination);
            }
        }
    }

    private void wake(Connection connection, String destination) throws SQLException {
        long askedAt = System.nanoTime();
        try (PreparedStatement statement = connection.prepareStatement(wake)) {
            statement.setString(1, destination);
            try (ResultSet answer = statement.executeQuery()) {
                relays.answered(destination, askedAt, answer);
            }
        }
    }

    /**
     * Executes your own statement and then adds a message, in one round trip, and returns the number of changed rows.
     * The message is added even if there are none: roll back if it must not be sent then.
     *
     * @param sql an {@code INSERT}, {@code UPDATE} or {@code DELETE} that returns no rows
     * @param parameters the values of its placeholders, each of a type that the driver supports
     */
    public int addWith(Connection connection, OutboxMessage message, String sql, @Nullable Object... parameters)
            throws SQLException {
        // On its own line, in case the statement ends with a comment.
        return send(connection, message, sql + "\n; " + add, parameters);
    }

    private int send(Connection connection, OutboxMessage message, String sql, @Nullable Object... parameters)
            throws SQLException {
        requireTransaction(connection);
        String destination = message.destination();
        boolean wakes = relays.mayInclude(destination);
        long askedAt = System.nanoTime();
        try (PreparedStatement statement = connection.prepareStatement(wakes ? sql + "; " + wake : sql)) {
            int next = 1;
            for (Object parameter : parameters) {
                statement.setObject(next++, parameter);
            }
            next = bind(statement, next, message);
            if (wakes) {
                statement.setString(next, destination);
            }
            if (statement.execute()) {
                throw new IllegalArgumentException("the statement returns rows, which would be lost: " + sql);
            }
            int changed = statement.getUpdateCount();
            if (wakes && lastResult(statement)) {
                relays.answered(destination, askedAt, statement.getResultSet());
            }
            return changed;
        }
    }

    /** Goes on to the rows that the last of several statements has returned. */
    private static boolean lastResult(PreparedStatement statement) throws SQLException {
        while (!statement.getMoreResults()) {
            if (statement.getUpdateCount() == -1) {
                return false;
            }
        }
        return true;
    }

    private static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "the connection is in auto-commit mode, so that the message would not commit together with"
                            + " your own writes; begin a transaction with setAutoCommit(false)");
        }
    }

    /** Binds the placeholders of {@link #ADD}, and returns the place of the next one. */
    private static int bind(PreparedStatement statement, int first, OutboxMessage message) throws SQLException {
        statement.setString(first, message.destination());
        statement.setString(first + 1, message.aggregate());
        statement.setString(first + 2, message.key());
        statement.setString(first + 3, message.contentType());
        statement.setString(first + 4, lines(message.headers()));
        statement.setBytes(first + 5, message.payload());
        return first + 6;
    }

    /** Neither a name nor a value has a line break in it. */
    private static String lines(Map<String, String> headers) {
        return headers.entrySet().stream()
                .map(header -> header.getKey() + "\n" + header.getValue())
                .collect(Collectors.joining("\n"));
    }

    /** A builder for a relay that delivers the messages of this outbox. */
    public OutboxRelay.Builder relay() {
        return new OutboxRelay.Builder(dataSource, name);
    }

    /** Messages that were given up, the oldest first. */
    public List<DeadMessage> dead(int limit) throws SQLException {
        return new DeadMessages(dataSource, name).list(limit);
    }

    /**
     * Sends a message that was given up once more, with the same key, behind all others of its aggregate; {@code false}
     * if it does not exist. Check {@link DeadMessage#createdAt} first: a receiver that got the message before, and no
     * longer has its key, acts a second time. Semel logs a warning if the message is older than a day.
     */
    public boolean revive(long id) throws SQLException {
        return new DeadMessages(dataSource, name).revive(id);
    }

    /** Removes a message that was given up; {@code false} if it does not exist. */
    public boolean discard(long id) throws SQLException {
        return new DeadMessages(dataSource, name).discard(id);
    }

    /** Builds an {@link Outbox}. */
    public static final class Builder {

        private final DataSource dataSource;
        private String schema = "public";
        private String table = OutboxName.DEFAULT;
        private boolean createIfMissing;

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        /** The schema that holds the tables; {@code public} by default. */
        public Builder schema(String schema) {
            this.schema = schema;
            return this;
        }

        /** The table's name. The names of all other objects of the outbox begin with it. */
        public Builder table(String table) {
            this.table = table;
            return this;
        }

        /** Creates the tables if they do not exist. */
        public Builder createIfMissing() {
            this.createIfMissing = true;
            return this;
        }

        public Outbox build() {
            OutboxName name = new OutboxName(schema, table);
            if (createIfMissing) {
                OutboxSchema.create(dataSource, name);
            }
            OutboxSchema.check(dataSource, name);
            return new Outbox(dataSource, name);
        }
    }
}
