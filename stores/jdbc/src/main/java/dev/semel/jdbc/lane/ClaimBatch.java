package dev.semel.jdbc.lane;

import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.KeyTable;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Claims that are sent together. */
record ClaimBatch(KeyTable table) implements Batch<ClaimRequest, Claim> {

    /** A row without its outcome, roughly. */
    private static final int WEIGHT = 256;

    @Override
    public KeyDigest digest(ClaimRequest request) {
        return request.key().digest();
    }

    @Override
    public int weight(ClaimRequest request) {
        return WEIGHT;
    }

    @Override
    public List<@Nullable Claim> send(Connection connection, List<ClaimRequest> requests) throws SQLException {
        return table.claim(connection, requests);
    }

    /**
     * A duplicate that arrives together with the first of its kind need not ask the database. Where the answer may
     * depend on what only the database knows, it does.
     */
    @Override
    public @Nullable Claim answerBeside(ClaimRequest first, Claim answer, ClaimRequest second) {
        if (answer instanceof Claim.Acquired) {
            if (first.nonce().equals(second.nonce())) {
                return answer;
            }
            return first.fingerprint().matches(second.fingerprint())
                    ? new Claim.InFlight(Duration.ZERO, first.lease())
                    : new Claim.Mismatch();
        }
        boolean sameQuestion =
                first.fingerprint().equals(second.fingerprint()) && first.takeOver() == second.takeOver();
        return sameQuestion ? answer : null;
    }

    @Override
    public List<@Nullable Claim> sendUnheld(Connection connection, List<ClaimRequest> requests) throws SQLException {
        return table.claimUnheld(connection, requests);
    }

    /** Longer than any commit takes: only an application's transaction holds a key for longer. */
    @Override
    public Duration heldPatience() {
        return Duration.ofMillis(500);
    }

    /** A claim whose answer was lost may be the one that holds the key, and then is not in flight but acquired. */
    @Override
    public @Nullable Claim answerHeld(ClaimRequest request, boolean answerLost) {
        return answerLost ? null : KeyTable.heldByTransaction();
    }
}
