package dev.semel.outbox;

import java.time.Duration;

/** A message on its way to its destination. */
public final class Delivery {

    /** The header that carries the idempotency key, where a protocol has headers. */
    public static final String KEY_HEADER = "Idempotency-Key";

    private final long id;
    private final OutboxMessage message;
    private final int attempt;
    private final Duration age;

    private Delivery(long id, OutboxMessage message, int attempt, Duration age) {
        this.id = id;
        this.message = message;
        this.attempt = attempt;
        this.age = age;
    }

    /**
     * The delivery of a message, also in tests of a destination.
     *
     * @param attempt 1 for the first try
     * @param age how long ago the message was added
     */
    public static Delivery of(long id, OutboxMessage message, int attempt, Duration age) {
        return new Delivery(id, message, attempt, age);
    }

    public long id() {
        return id;
    }

    public OutboxMessage message() {
        return message;
    }

    /** 1 for the first try. */
    public int attempt() {
        return attempt;
    }

    /** How long ago the message was added, by the database's clock. */
    public Duration age() {
        return age;
    }

    /** The same in every try, and different for every message: a receiver can recognise a second delivery. */
    public String key() {
        return message.key();
    }

    @Override
    public String toString() {
        return id + ": " + message + ", attempt " + attempt;
    }
}
