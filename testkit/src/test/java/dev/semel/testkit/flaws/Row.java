package dev.semel.testkit.flaws;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A key in the {@link SketchStore}: as plain as it can be. */
final class Row {

    Key key;
    String operation;
    Fingerprint fingerprint;
    UUID nonce;
    long token;
    int attempt;
    Instant claimedAt;
    Instant leaseUntil;
    boolean unknown;
    Outcome outcome;
    Instant settledAt;
    Instant expiresAt;
    Instant freeAt;
    Instant purgeAt;
    String traceId;
    Map<String, byte[]> steps = new LinkedHashMap<>();
    final List<HistoryEntry> history = new ArrayList<>();

    KeyState state(Instant now) {
        if (outcome != null) {
            if (!now.isBefore(expiresAt)) {
                return KeyState.EXPIRED;
            }
            return outcome.isSuccess() ? KeyState.SUCCEEDED : KeyState.FAILED;
        }
        if (unknown) {
            return KeyState.UNKNOWN;
        }
        return now.isBefore(leaseUntil) ? KeyState.PENDING : KeyState.LAPSED;
    }

    Lease lease() {
        return new Lease(key.digest(), nonce, token, attempt);
    }

    KeyRecord record(Instant now) {
        return new KeyRecord(
                key,
                operation,
                state(now),
                attempt,
                token,
                fingerprint,
                claimedAt,
                leaseUntil,
                settledAt,
                outcome == null ? null : expiresAt,
                outcome,
                Map.copyOf(steps),
                List.copyOf(history),
                traceId);
    }
}
