package dev.semel.outbox;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A table of PostgreSQL that takes intended effects in the same transaction as the business: both happen, or neither.
 *
 * <p>An {@link OutboxRelay} delivers them afterwards, at least once, with an idempotency key on every delivery.
 */
public final class Outbox {

    private final DataSource dataSource;
    private final OutboxName name;
    private final String add;

    private Outbox(DataSource dataSource, OutboxName name) {
        this.dataSource = dataSource;
        this.name = name;
        this.add = name.in("SELECT {outbox}_add(?, ?, ?, ?, ?, ?)");
    }

    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /** The SQL that makes the tables of an outbox, for where applications must not do that themselves. */
    public static String script(String schema, String table) {
        return OutboxSchema.script(new OutboxName(schema, table));
    }

    /** Adds a message to the transaction of the connection. */
    public void add(Connection connection, OutboxMessage message) throws SQLException {
        add(connection, List.of(message));
    }

    /** Adds messages, in this order, to the transaction of the connection, in one round trip. */
    public void add(Connection connection, List<OutboxMessage> messages) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "the connection is in auto-commit mode, so that the message would not be one"
                            + " with what you write to the database; begin a transaction with setAutoCommit(false)");
        }
        try (PreparedStatement statement = connection.prepareStatement(add)) {
            set(statement, 1, "text", messages, OutboxMessage::destination);
            set(statement, 2, "text", messages, OutboxMessage::aggregate);
            set(statement, 3, "text", messages, OutboxMessage::key);
            set(statement, 4, "text", messages, OutboxMessage::contentType);
            set(statement, 5, "text", messages, message -> lines(message.headers()));
            set(statement, 6, "bytea", messages, OutboxMessage::payload);
            statement.execute();
        }
    }

    private static void set(
            PreparedStatement statement,
            int index,
            String type,
            List<OutboxMessage> messages,
            Function<OutboxMessage, @Nullable Object> value)
            throws SQLException {
        Object[] elements = type.equals("bytea") ? new byte[messages.size()][] : new String[messages.size()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = value.apply(messages.get(i));
        }
        Array array = statement.getConnection().createArrayOf(type, elements);
        statement.setArray(index, array);
    }

    /** Neither a name nor a value has a line break in it. */
    private static String lines(Map<String, String> headers) {
        return headers.entrySet().stream()
                .map(header -> header.getKey() + "\n" + header.getValue())
                .collect(Collectors.joining("\n"));
    }

    /** Starts to describe a relay that delivers what is in this outbox. */
    public OutboxRelay.Builder relay() {
        return new OutboxRelay.Builder(dataSource, name);
    }

    /** Messages that were given up, the oldest first. */
    public List<DeadMessage> dead(int limit) throws SQLException {
        return new DeadMessages(dataSource, name).list(limit);
    }

    /**
     * Sends a message that was given up again, with the same key, behind all others of its aggregate; {@code false} if
     * there is none. Look at {@link DeadMessage#createdAt} first: a receiver that got the message before, and keeps keys
     * for a shorter time, acts a second time. There is a warning if the message is older than a day.
     */
    public boolean revive(long id) throws SQLException {
        return new DeadMessages(dataSource, name).revive(id);
    }

    /** Forgets a message that was given up; {@code false} if there is none. */
    public boolean discard(long id) throws SQLException {
        return new DeadMessages(dataSource, name).discard(id);
    }

    /** Makes an {@link Outbox}. */
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

        /** The table's name, which also begins the names of all that belongs to it. */
        public Builder table(String table) {
            this.table = table;
            return this;
        }

        /** Creates the tables if there are none. */
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
