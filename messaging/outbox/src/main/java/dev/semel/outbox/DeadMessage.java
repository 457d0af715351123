package dev.semel.outbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that was given up.
 *
 * @param attempts how often its delivery was tried
 * @param error why the last try failed
 */
public record DeadMessage(
        long id,
        OutboxMessage message,
        Instant createdAt,
        Instant diedAt,
        int attempts,
        @Nullable String error) {}
