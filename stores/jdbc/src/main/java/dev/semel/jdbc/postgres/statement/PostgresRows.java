package dev.semel.jdbc.postgres.statement;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.jdbc.row.StoredHistory;
import dev.semel.jdbc.row.StoredSteps;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.life.RetentionText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the rows that the functions of the schema return. */
public final class PostgresRows {

    /** The digest of a row {@code k} in hexadecimal digits. */
    public static final String DIGEST_HEX = "replace(k.digest::text, '-', '')";

    private PostgresRows() {}

    public static int state(Outcome outcome) {
        return outcome.isSuccess() ? KeyRow.SUCCEEDED : KeyRow.FAILED;
    }

    /** The claim that a row of the claim function means. */
    public static Claim claim(ResultSet row, ClaimRequest request) throws SQLException {
        int verdict = row.getInt("verdict");
        return switch (verdict) {
            case 0 ->
                new Claim.Acquired(
                        new Lease(request.key().digest(), request.nonce(), row.getLong("token"), row.getInt("attempt")),
                        StoredSteps.decode(row.getBytes("steps")));
            case 1, 6 -> inFlight(row);
            case 2 ->
                Claim.Settled.builder(
                                KeyRow.outcome(row),
                                time(row, "settled_at"),
                                time(row, "expires_at"),
                                row.getLong("token"))
                        .traceId(row.getString("trace_id"))
                        .build();
            case 3 -> new Claim.Mismatch();
            case 4 -> new Claim.Unknown();
            case 5 -> new Claim.Expired();
            default -> throw new IllegalStateException("the claim function answered with verdict " + verdict);
        };
    }

    public static Claim firstAttempt(ClaimRequest request, long token) {
        return new Claim.Acquired(new Lease(request.key().digest(), request.nonce(), token, 1), Map.of());
    }

    private static Claim inFlight(ResultSet row) throws SQLException {
        Instant now = time(row, "asked_at");
        Duration left = Duration.between(now, time(row, "lease_until"));
        return new Claim.InFlight(
                Duration.between(time(row, "claimed_at"), now), left.isNegative() ? Duration.ZERO : left);
    }

    /** The record of a key, as of the column {@code asked_at}. */
    public static KeyRecord record(ResultSet row) throws SQLException {
        return builder(row, keyState(row))
                .outcome(row.getInt("state") >= KeyRow.SUCCEEDED ? KeyRow.outcome(row) : null)
                .steps(StoredSteps.decode(row.getBytes("steps")))
                .build();
    }

    /** The columns that both the table of keys and the audit have. */
    public static KeyRecord.Builder builder(ResultSet row, KeyState state) throws SQLException {
        String namespace = row.getString("namespace");
        Key key = (namespace == null ? Namespace.DEFAULT : Namespace.parse(namespace))
                .key(row.getString("scope"), row.getString("key"));
        Fingerprint fingerprint = Fingerprint.fromBytes(row.getBytes("fingerprint"));
        return KeyRecord.builder(key, row.getString("operation"), fingerprint, state)
                .attempt(row.getInt("attempt"), row.getLong("token"))
                .lease(time(row, "claimed_at"), time(row, "lease_until"))
                .retention(RetentionText.decode(row.getString("retention")))
                .settled(timeOrNull(row, "settled_at"), timeOrNull(row, "expires_at"))
                .history(StoredHistory.decode(row.getString("history")))
                .traceId(row.getString("trace_id"));
    }

    private static KeyState keyState(ResultSet row) throws SQLException {
        Instant now = time(row, "asked_at");
        Instant expiresAt = timeOrNull(row, "expires_at");
        if (expiresAt != null && !now.isBefore(expiresAt)) {
            return KeyState.EXPIRED;
        }
        return switch (row.getInt("state")) {
            case KeyRow.PENDING -> now.isBefore(time(row, "lease_until")) ? KeyState.PENDING : KeyState.LAPSED;
            case KeyRow.UNKNOWN -> KeyState.UNKNOWN;
            case KeyRow.SUCCEEDED -> KeyState.SUCCEEDED;
            default -> KeyState.FAILED;
        };
    }

    /** A time as it is bound. */
    public static Object parameter(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    public static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
