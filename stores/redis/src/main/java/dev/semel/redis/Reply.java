package dev.semel.redis;

import java.util.List;

/**
 * The answer to one call of a batch.
 *
 * @param value a number, the bytes of a record, or the list of what a refusal says
 * @param now the server's time, in microseconds
 * @param clock how far the clock of the bucket has come
 */
record Reply(Object value, long now, long clock) {

    boolean isRefusal() {
        return value instanceof List<?>;
    }

    boolean isNumber() {
        return value instanceof Long;
    }

    long number() {
        return (Long) value;
    }

    /** A record as it was found: empty if there is none. */
    byte[] record() {
        return (byte[]) value;
    }
}
