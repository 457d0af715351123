package dev.semel.jdbc.row;

import dev.semel.Fingerprint;
import dev.semel.KeyDigest;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.Outcome.Result;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.life.Moment;
import dev.semel.spi.life.RetentionText;
import dev.semel.spi.life.StoredKey;
import dev.semel.util.Micros;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row of a key table that keeps times in microseconds, under the cursor, at one moment. */
public record KeyRow(ResultSet row, long now) {

    public static final int PENDING = 0;
    public static final int UNKNOWN = 1;
    public static final int SUCCEEDED = 2;
    public static final int FAILED = 3;
    public static final int RELEASED = 4;

    public long id() throws SQLException {
        return row.getLong("id");
    }

    public KeyDigest digest() throws SQLException {
        return digest(row.getBytes("digest"));
    }

    int state() throws SQLException {
        return row.getInt("state");
    }

    /** The key; {@code null} if it was forgotten, and the row only keeps its token. */
    @Nullable
    public StoredKey key() throws SQLException {
        if (state() > FAILED) {
            return null;
        }
        return StoredKey.builder(
                        Namespace.parse(row.getString("namespace")).key(row.getString("scope"), row.getString("key")),
                        row.getString("operation"),
                        Fingerprint.fromBytes(row.getBytes("fingerprint")),
                        digest(row.getBytes("nonce")).asUuid(),
                        RetentionText.decode(row.getString("retention")),
                        row.getString("trace_id"))
                .attempt(row.getInt("attempt"), token())
                .lease(time("claimed_at"), time("lease_until"))
                .unknown(state() == UNKNOWN)
                .settled(state() >= SUCCEEDED ? settlement() : null)
                .steps(StoredSteps.decode(row.getBytes("steps")))
                .history(StoredHistory.decode(row.getString("history")))
                .build();
    }

    private StoredKey.Settlement settlement() throws SQLException {
        return new StoredKey.Settlement(
                outcome(row), time("settled_at"), time("expires_at"), time("free_at"), time("purge_at"));
    }

    /** The last token of the key, also if it was forgotten. */
    long token() throws SQLException {
        return row.getLong("token");
    }

    /** When the row was read, on the clock that decides. */
    public Moment moment() {
        return moment(now);
    }

    public static Moment moment(long micros) {
        return Moment.of(Micros.toInstant(micros));
    }

    long weight() throws SQLException {
        return length(row.getBytes("body")) + length(row.getBytes("steps"));
    }

    public KeyRecord toRecord() throws SQLException {
        return Objects.requireNonNull(key(), "a forgotten key is not shown").toRecord(moment());
    }

    /** The stored outcome of an operation that has ended, in any database. */
    public static Outcome outcome(ResultSet row) throws SQLException {
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

    private Instant time(String column) throws SQLException {
        return Micros.toInstant(row.getLong(column));
    }

    /** How the state of an imported record is stored. */
    public static int state(KeyRecord record) {
        if (record.state() == KeyState.UNKNOWN) {
            return UNKNOWN;
        }
        return record.state() == KeyState.SUCCEEDED ? SUCCEEDED : FAILED;
    }

    public static byte[] bytes(UUID uuid) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    public static byte[] bytes(KeyDigest digest) {
        return bytes(digest.asUuid());
    }

    /** Sixteen bytes that name a key. */
    public static KeyDigest digest(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new KeyDigest(in.getLong(), in.getLong());
    }

    private static long length(byte @Nullable [] value) {
        return value == null ? 0 : value.length;
    }
}
