package dev.semel.jdbc.dialect;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a table is kept small.
 *
 * @param generations whether it keeps its keys in generations
 * @param rotateEvery how long new keys go to the same one; {@code null} to leave that to other nodes
 * @param auditWindow how long records are kept for people after their retention; {@code null} for not at all
 */
public record Upkeep(
        boolean generations,
        @Nullable Duration rotateEvery,
        @Nullable Duration auditWindow) {}
