package dev.semel.spi;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything a store knows of a key, for people.
 *
 * @param claimedAt when the current attempt claimed the key
 * @param leaseUntil when its lease ends or ended
 * @param settledAt when the outcome was stored
 * @param expiresAt when the outcome stops being replayed
 * @param history what happened before, oldest first: earlier attempts, decisions of operators
 */
public record KeyRecord(
        Key key,
        String operation,
        KeyState state,
        int attempt,
        long token,
        Fingerprint fingerprint,
        Instant claimedAt,
        Instant leaseUntil,
        @Nullable Instant settledAt,
        @Nullable Instant expiresAt,
        @Nullable Outcome outcome,
        Map<String, byte[]> steps,
        List<HistoryEntry> history,
        @Nullable String traceId) {

    /** One line of a key's story. */
    public record HistoryEntry(Instant at, int attempt, long token, String event, String note) {}
}
