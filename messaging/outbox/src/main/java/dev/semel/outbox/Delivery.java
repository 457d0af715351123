package dev.semel.outbox;

import java.time.Duration;

/**
 * A message on its way to its destination.
 *
 * @param attempt the number of the try, from 1
 * @param age how long ago the message was added, by the database's clock
 */
public record Delivery(long id, OutboxMessage message, int attempt, Duration age) {

    /** The header that carries the idempotency key, where a protocol has headers. */
    public static final String KEY_HEADER = "Idempotency-Key";

    /**
     * The idempotency key: the same in every try, and different for every message, so that a receiver can recognise a
     * second delivery.
     */
    public String key() {
        return message.key();
    }
}
