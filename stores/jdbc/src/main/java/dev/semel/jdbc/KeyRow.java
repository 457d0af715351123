package dev.semel.jdbc;

import dev.semel.Fingerprint;
import dev.semel.KeyDigest;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.Outcome.Result;
import dev.semel.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.RetentionText;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row of a key table that keeps times in microseconds, under the cursor, at one moment. */
final class KeyRow {

    static final int PENDING = 0;
    static final int UNKNOWN = 1;
    static final int SUCCEEDED = 2;
    static final int FAILED = 3;

    private final ResultSet row;
    private final long now;

    KeyRow(ResultSet row, long now) {
        this.row = row;
        this.now = now;
    }

    long id() throws SQLException {
        return row.getLong("id");
    }

    KeyDigest digest() throws SQLException {
        return digest(row.getBytes("digest"));
    }

    int state() throws SQLException {
        return row.getInt("state");
    }

    int attempt() throws SQLException {
        return row.getInt("attempt");
    }

    boolean isFree() throws SQLException {
        return state() >= SUCCEEDED && row.getLong("free_at") <= now;
    }

    boolean isOwnPending(ClaimRequest request) throws SQLException {
        return state() == PENDING && Arrays.equals(row.getBytes("nonce"), bytes(request.nonce()));
    }

    boolean isLapsed() throws SQLException {
        return state() == PENDING && row.getLong("lease_until") <= now;
    }

    boolean matches(ClaimRequest request) throws SQLException {
        return Fingerprint.fromBytes(row.getBytes("fingerprint")).matches(request.fingerprint());
    }

    /** What stands against a claim that may not have this key. */
    Claim refusal(ClaimRequest request) throws SQLException {
        if (keyState() == KeyState.EXPIRED) {
            return new Claim.Expired();
        }
        if (!matches(request)) {
            return new Claim.Mismatch();
        }
        return switch (keyState()) {
            case PENDING -> new Claim.InFlight(age(), micros(row.getLong("lease_until") - now));
            case SUCCEEDED, FAILED ->
                new Claim.Settled(
                        outcome(),
                        time("settled_at"),
                        time("expires_at"),
                        row.getLong("token"),
                        row.getString("trace_id"));
            default -> new Claim.Unknown();
        };
    }

    Claim acquired(ClaimRequest request) throws SQLException {
        return new Claim.Acquired(
                new Lease(request.key().digest(), request.nonce(), row.getLong("token"), attempt()),
                Steps.decode(row.getBytes("steps")));
    }

    /** What the key was claimed with. */
    Retention retention() throws SQLException {
        return RetentionText.decode(row.getString("retention"));
    }

    /** How long ago the key was claimed. */
    Duration age() throws SQLException {
        return micros(now - row.getLong("claimed_at"));
    }

    byte @Nullable [] steps() throws SQLException {
        return row.getBytes("steps");
    }

    /** The history with one more line about the current attempt. */
    String noted(String event, String note) throws SQLException {
        return HistoryLines.append(
                row.getString("history"), instant(now), attempt(), row.getLong("token"), event, note);
    }

    String leaseEnd() throws SQLException {
        return time("lease_until").toString();
    }

    long weight() throws SQLException {
        return length(row.getBytes("body")) + length(row.getBytes("steps"));
    }

    KeyRecord toRecord() throws SQLException {
        boolean settled = state() >= SUCCEEDED;
        return new KeyRecord(
                Namespace.parse(row.getString("namespace")).key(row.getString("scope"), row.getString("key")),
                row.getString("operation"),
                keyState(),
                attempt(),
                row.getLong("token"),
                Fingerprint.fromBytes(row.getBytes("fingerprint")),
                time("claimed_at"),
                time("lease_until"),
                retention(),
                settled ? time("settled_at") : null,
                settled ? time("expires_at") : null,
                settled ? outcome() : null,
                Steps.decode(row.getBytes("steps")),
                HistoryLines.decode(row.getString("history")),
                row.getString("trace_id"));
    }

    private KeyState keyState() throws SQLException {
        if (state() >= SUCCEEDED && row.getLong("expires_at") <= now) {
            return KeyState.EXPIRED;
        }
        return switch (state()) {
            case PENDING -> isLapsed() ? KeyState.LAPSED : KeyState.PENDING;
            case UNKNOWN -> KeyState.UNKNOWN;
            case SUCCEEDED -> KeyState.SUCCEEDED;
            default -> KeyState.FAILED;
        };
    }

    private Outcome outcome() throws SQLException {
        HeaderLines lines = HeaderLines.decode(row.getBytes("headers"));
        return Outcome.builder(state() == SUCCEEDED ? Result.SUCCEEDED : Result.FAILED)
                .format(row.getInt("format"))
                .status(row.getInt("status"))
                .contentType(lines.contentType())
                .headers(lines.headers())
                .payload(row.getBytes("body"))
                .build();
    }

    private Instant time(String column) throws SQLException {
        return instant(row.getLong(column));
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    static Duration micros(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    static byte[] bytes(UUID uuid) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    static byte[] bytes(KeyDigest digest) {
        return bytes(digest.asUuid());
    }

    /** Sixteen bytes that name a key. */
    static KeyDigest digest(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new KeyDigest(in.getLong(), in.getLong());
    }

    private static long length(byte @Nullable [] value) {
        return value == null ? 0 : value.length;
    }
}
