package dev.semel.outbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A message that was given up. */
public final class DeadMessage {

    private final long id;
    private final OutboxMessage message;
    private final Instant createdAt;
    private final Instant diedAt;
    private final int attempts;
    private final @Nullable String error;

    DeadMessage(
            long id, OutboxMessage message, Instant createdAt, Instant diedAt, int attempts, @Nullable String error) {
        this.id = id;
        this.message = message;
        this.createdAt = createdAt;
        this.diedAt = diedAt;
        this.attempts = attempts;
        this.error = error;
    }

    public long id() {
        return id;
    }

    public OutboxMessage message() {
        return message;
    }

    public Instant createdAt() {
        return createdAt;
    }

    public Instant diedAt() {
        return diedAt;
    }

    /** How often its delivery was tried. */
    public int attempts() {
        return attempts;
    }

    /** Why the last try failed. */
    public @Nullable String error() {
        return error;
    }

    @Override
    public String toString() {
        return id + ": " + message + ", given up after " + attempts + " attempts: " + error;
    }
}
