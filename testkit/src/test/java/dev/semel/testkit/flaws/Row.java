package dev.semel.testkit.flaws;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import java.time.Duration;
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
    Retention retention;
    boolean unknown;
    Outcome outcome;
    Instant settledAt;
    Instant expiresAt;
    Instant freeAt;
    Instant purgeAt;
    String traceId;
    Map<String, byte[]> steps = new LinkedHashMap<>();
    final List<HistoryEntry> history = new ArrayList<>();

    static Row imported(KeyRecord record, Retention retention, Duration shift) {
        Row row = new Row();
        row.key = record.key();
        row.operation = record.operation();
        row.fingerprint = record.fingerprint();
        row.nonce = UUID.randomUUID();
        row.token = record.token();
        row.attempt = record.attempt();
        row.claimedAt = record.claimedAt().plus(shift);
        row.leaseUntil = record.leaseUntil().plus(shift);
        row.retention = retention;
        row.traceId = record.traceId();
        row.steps.putAll(record.steps());
        row.history.addAll(record.history());
        row.unknown = record.outcome() == null;
        if (record.outcome() != null) {
            row.outcome = record.outcome();
            row.settledAt = record.settledAt().plus(shift);
            row.expiresAt = record.expiresAt().plus(shift);
            row.freeAt = row.expiresAt.plus(retention.tombstone());
            row.purgeAt = row.expiresAt.plus(retention.total().minus(retention.active()));
        }
        return row;
    }

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
        return KeyRecord.builder(key, operation, fingerprint, state(now))
                .attempt(attempt, token)
                .lease(claimedAt, leaseUntil)
                .retention(retention)
                .settled(settledAt, outcome == null ? null : expiresAt)
                .outcome(outcome)
                .steps(Map.copyOf(steps))
                .history(List.copyOf(history))
                .traceId(traceId)
                .build();
    }
}
