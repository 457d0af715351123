package dev.semel.outbox;

import dev.semel.Key;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A message to a named destination. */
public final class OutboxMessage {

    /** The header names that HTTP, Kafka, SQS and AMQP all accept. */
    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");

    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    private final String destination;
    private final @Nullable String aggregate;
    private final String key;
    private final @Nullable String contentType;
    private final Map<String, String> headers;
    private final byte[] payload;

    private OutboxMessage(
            String destination,
            @Nullable String aggregate,
            String key,
            @Nullable String contentType,
            Map<String, String> headers,
            byte[] payload) {
        if (destination.isEmpty() || destination.length() > Key.MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "a destination has between 1 and " + Key.MAX_LENGTH + " characters, got \"" + destination + "\"");
        }
        if (!KEY.matcher(key).matches()) {
            throw new IllegalArgumentException(
                    "the key of a message has between 1 and 255 visible ASCII characters, got \"" + key + "\"");
        }
        headers.forEach(OutboxMessage::requireHeader);
        this.destination = destination;
        this.aggregate = aggregate;
        this.key = key;
        this.contentType = contentType;
        this.headers = Map.copyOf(headers);
        this.payload = payload;
    }

    /** Reads what a row says of a message to this destination. */
    static OutboxMessage read(ResultSet row, String destination) throws SQLException {
        String[] lines = (String[]) row.getArray("headers").getArray();
        Map<String, String> headers = new LinkedHashMap<>();
        for (int i = 0; i + 1 < lines.length; i += 2) {
            headers.put(lines[i], lines[i + 1]);
        }
        return new OutboxMessage(
                destination,
                row.getString("aggregate"),
                row.getString("key"),
                row.getString("content_type"),
                headers,
                row.getBytes("payload"));
    }

    private static void requireHeader(String name, String value) {
        if (!HEADER.matcher(name).matches()) {
            throw new IllegalArgumentException("a header's name is a token of HTTP, got \"" + name + "\"");
        }
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("header " + name + " has a control character in its value");
        }
    }

    /** A message without an aggregate, with a new random key. */
    public static OutboxMessage of(String destination, byte[] payload) {
        return new OutboxMessage(destination, null, Key.randomValue(), null, Map.of(), payload);
    }

    /** A text message in UTF-8, without an aggregate, with a new random key. */
    public static OutboxMessage of(String destination, String text) {
        return of(destination, text.getBytes(StandardCharsets.UTF_8));
    }

    /** The name of the destination. */
    public String destination() {
        return destination;
    }

    /**
     * The aggregate. Messages of one destination and aggregate are delivered in the order in which they were added;
     * messages without an aggregate in any order.
     */
    public @Nullable String aggregate() {
        return aggregate;
    }

    /**
     * The idempotency key of every delivery. Use a child key of the running attempt, so that it stays the same if the
     * operation runs again.
     */
    public String key() {
        return key;
    }

    public @Nullable String contentType() {
        return contentType;
    }

    public Map<String, String> headers() {
        return headers;
    }

    /** The payload itself, not a copy: it must not be changed. */
    public byte[] payload() {
        return payload;
    }

    public OutboxMessage withAggregate(String name) {
        return new OutboxMessage(destination, name, key, contentType, headers, payload);
    }

    public OutboxMessage withKey(String value) {
        return new OutboxMessage(destination, aggregate, value, contentType, headers, payload);
    }

    public OutboxMessage withContentType(String type) {
        return new OutboxMessage(destination, aggregate, key, type, headers, payload);
    }

    public OutboxMessage withHeader(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new OutboxMessage(destination, aggregate, key, contentType, more, payload);
    }

    /** Never shows the payload or the headers: they are the customer's. */
    @Override
    public String toString() {
        return "message to " + destination + " with key " + key + ", " + payload.length + " bytes";
    }
}
