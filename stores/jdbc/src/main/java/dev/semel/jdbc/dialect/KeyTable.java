package dev.semel.jdbc.dialect;

import dev.semel.KeyDigest;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Renewal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The writes of attempts, as statements of one database.
 *
 * <p>Lists are sorted by digest and hold each key once; answers are in the same order. Each method is one transaction of
 * its own, on a connection in autocommit mode.
 */
public interface KeyTable {

    /** {@code null} for a key that changed hands while it was looked at, and has to be claimed again. */
    List<@Nullable Claim> claim(Connection connection, List<ClaimRequest> requests) throws SQLException;

    /** Like {@link #claim}, but never waits: {@code null} also for a locked key. */
    List<@Nullable Claim> claimUnheld(Connection connection, List<ClaimRequest> requests) throws SQLException;

    /** Runs several of these methods in one transaction. */
    <T> T inTransaction(Connection connection, StoreConnections.Work<T> work) throws SQLException;

    /**
     * Locks the free rows until the transaction ends, and returns the keys of the locked ones. A key that
     * is not there is not held.
     */
    Set<KeyDigest> lockUnheld(Connection connection, List<KeyDigest> digests) throws SQLException;

    boolean[] settle(Connection connection, List<SettleRequest> settlements) throws SQLException;

    boolean[] renew(Connection connection, List<Renewal> renewals) throws SQLException;

    boolean[] end(Connection connection, List<LeaseEnd> ends) throws SQLException;

    boolean[] recordSteps(Connection connection, List<StepResult> steps) throws SQLException;

    /** The answer for a locked key that is not visible. */
    static Claim heldByTransaction() {
        return new Claim.InFlight(Duration.ZERO, Duration.ZERO);
    }
}
