package dev.semel.jdbc.dialect;

import dev.semel.KeyDigest;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Purging.Purged;
import dev.semel.spi.Resolution;
import dev.semel.spi.StoreStatistics;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The queries and changes for people and maintenance, as statements of one database. */
public interface TableInspection {

    /** Creates the objects that the purge will need, so that a missing right is noticed immediately. */
    default void prepare(Connection connection) throws SQLException {}

    Optional<KeyRecord> find(Connection connection, KeyDigest digest) throws SQLException;

    KeyPage page(Connection connection, KeyQuery query) throws SQLException;

    StoreStatistics statistics(Connection connection) throws SQLException;

    Instant now(Connection connection) throws SQLException;

    /**
     * Resolves a key, and if it was resolved, writes the rest of the transaction; both or neither.
     *
     * @param reason the text for the key's history
     */
    boolean resolve(
            Connection connection,
            KeyDigest digest,
            long token,
            Resolution resolution,
            String reason,
            RestOfTransaction rest)
            throws SQLException;

    /** A write to other tables than that of the keys. */
    @FunctionalInterface
    interface RestOfTransaction {
        void write(Connection connection, Instant now) throws SQLException;
    }

    /** Writes in its own transaction. */
    default void write(Connection connection, RestOfTransaction all) throws SQLException {
        all.write(connection, now(connection));
    }

    /** See {@link dev.semel.spi.Importing}. */
    boolean importRecord(Connection connection, KeyRecord record, Instant asOf) throws SQLException;

    /** See {@link dev.semel.spi.Erasing}. */
    boolean erase(Connection connection, KeyDigest digest, long token) throws SQLException;

    Purged purge(Connection connection, int limit) throws SQLException;

    /** The condition on a row {@code k} of the table of keys to be in this state, or in any if it is {@code null}. */
    static String condition(@Nullable KeyState state, String now) {
        if (state == null) {
            return "true";
        }
        return switch (state) {
            case PENDING -> "k.state = 0 AND k.lease_until > " + now;
            case LAPSED -> "k.state = 0 AND k.lease_until <= " + now;
            case UNKNOWN -> "k.state = 1";
            case SUCCEEDED -> "k.state = 2 AND k.expires_at > " + now;
            case FAILED -> "k.state = 3 AND k.expires_at > " + now;
            case EXPIRED -> "k.state IN (2, 3) AND k.expires_at <= " + now;
        };
    }
}
