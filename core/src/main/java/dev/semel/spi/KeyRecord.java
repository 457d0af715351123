package dev.semel.spi;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything a store knows of a key, for people.
 *
 * @param claimedAt when the current attempt claimed the key
 * @param leaseUntil when its lease ends or ended
 * @param retention what the current attempt claimed the key with: how long it is kept once it is settled, by whomever
 * @param settledAt when the outcome was stored
 * @param expiresAt when the outcome stops being replayed
 * @param history what happened before, oldest first: earlier attempts, decisions of operators
 * @param audited set if this is what the store's audit window has kept of a key that it no longer knows otherwise
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
        Retention retention,
        @Nullable Instant settledAt,
        @Nullable Instant expiresAt,
        @Nullable Outcome outcome,
        Map<String, byte[]> steps,
        List<HistoryEntry> history,
        @Nullable String traceId,
        @Nullable Audited audited) {

    /** A record that the store has whole. */
    public KeyRecord(
            Key key,
            String operation,
            KeyState state,
            int attempt,
            long token,
            Fingerprint fingerprint,
            Instant claimedAt,
            Instant leaseUntil,
            Retention retention,
            @Nullable Instant settledAt,
            @Nullable Instant expiresAt,
            @Nullable Outcome outcome,
            Map<String, byte[]> steps,
            List<HistoryEntry> history,
            @Nullable String traceId) {
        this(
                key,
                operation,
                state,
                attempt,
                token,
                fingerprint,
                claimedAt,
                leaseUntil,
                retention,
                settledAt,
                expiresAt,
                outcome,
                steps,
                history,
                traceId,
                null);
    }

    /** When a key that has an outcome may be claimed anew; {@code null} if it has none. */
    public @Nullable Instant freeAt() {
        return expiresAt == null ? null : expiresAt.plus(retention.tombstone());
    }

    /** When a record that has an outcome may be removed; {@code null} if it has none. */
    public @Nullable Instant removableAt() {
        return expiresAt == null ? null : expiresAt.plus(retention.total().minus(retention.active()));
    }

    /**
     * What a record is of which an audit window has kept what people need: not its payload, headers and steps.
     *
     * @param since the day on which its retention was found to have passed, in UTC
     * @param bodyBytes how many bytes the stored payload had, or {@code null} if there was none
     */
    public record Audited(LocalDate since, @Nullable Integer bodyBytes) {}

    /** One line of a key's story. */
    public record HistoryEntry(Instant at, int attempt, long token, String event, String note) {}
}
