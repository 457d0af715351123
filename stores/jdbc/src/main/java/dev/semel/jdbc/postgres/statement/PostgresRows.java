package dev.semel.jdbc.postgres.statement;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.Outcome.Result;
import dev.semel.jdbc.row.StoredHeaders;
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
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the rows that the functions of the schema return. */
public final class PostgresRows {

    static final int PENDING = 0;
    public static final int UNKNOWN = 1;
    static final int SUCCEEDED = 2;
    static final int FAILED = 3;
    public static final int RELEASED = 4;

    private PostgresRows() {}

    public static int state(Outcome outcome) {
        return outcome.isSuccess() ? SUCCEEDED : FAILED;
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
                                outcome(row), time(row, "settled_at"), time(row, "expires_at"), row.getLong("token"))
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

    static Outcome outcome(ResultSet row) throws SQLException {
        StoredHeaders lines = StoredHeaders.decode(row.getBytes("headers"));
        return Outcome.builder(result(row))
                .format(row.getInt("format"))
                .status(row.getInt("status"))
                .contentType(lines.contentType())
                .headers(lines.headers())
                .payload(row.getBytes("body"))
                .build();
    }

    public static Result result(ResultSet row) throws SQLException {
        return row.getInt("state") == SUCCEEDED ? Result.SUCCEEDED : Result.FAILED;
    }

    public static Key key(ResultSet row) throws SQLException {
        String namespace = row.getString("namespace");
        return (namespace == null ? Namespace.DEFAULT : Namespace.parse(namespace))
                .key(row.getString("scope"), row.getString("key"));
    }

    public static Fingerprint fingerprint(ResultSet row) throws SQLException {
        return Fingerprint.fromBytes(row.getBytes("fingerprint"));
    }

    /** Everything that the table has on a key, as of the column {@code asked_at}. */
    public static KeyRecord record(ResultSet row) throws SQLException {
        Instant expiresAt = timeOrNull(row, "expires_at");
        Instant leaseUntil = time(row, "lease_until");
        Instant now = time(row, "asked_at");
        int state = row.getInt("state");
        return KeyRecord.builder(
                        key(row),
                        row.getString("operation"),
                        fingerprint(row),
                        keyState(state, leaseUntil, expiresAt, now))
                .attempt(row.getInt("attempt"), row.getLong("token"))
                .lease(time(row, "claimed_at"), leaseUntil)
                .retention(RetentionText.decode(row.getString("retention")))
                .settled(timeOrNull(row, "settled_at"), expiresAt)
                .outcome(state >= SUCCEEDED ? outcome(row) : null)
                .steps(StoredSteps.decode(row.getBytes("steps")))
                .history(StoredHistory.decode(row.getString("history")))
                .traceId(row.getString("trace_id"))
                .build();
    }

    private static KeyState keyState(int state, Instant leaseUntil, @Nullable Instant expiresAt, Instant now) {
        if (expiresAt != null && !now.isBefore(expiresAt)) {
            return KeyState.EXPIRED;
        }
        return switch (state) {
            case PENDING -> now.isBefore(leaseUntil) ? KeyState.PENDING : KeyState.LAPSED;
            case UNKNOWN -> KeyState.UNKNOWN;
            case SUCCEEDED -> KeyState.SUCCEEDED;
            default -> KeyState.FAILED;
        };
    }

    public static long micros(Duration duration) {
        return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1_000);
    }

    public static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    public static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
