package dev.semel.jdbc;

import dev.semel.KeyDigest;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Claims that are sent together. */
record ClaimBatch(KeyTable table, Consumer<Lease> release) implements Batch<ClaimRequest, Claim> {

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
    public Claim answerLocked(Connection connection, ClaimRequest request) throws SQLException {
        return table.look(connection, request);
    }

    @Override
    public Claim answerElusive(ClaimRequest request) {
        return new Claim.InFlight(Duration.ZERO, Duration.ZERO);
    }

    /** Nobody will run the operation of a cancelled claim; a key that was taken over is left to lapse again. */
    @Override
    public void discard(ClaimRequest request, Claim answer) {
        if (answer instanceof Claim.Acquired acquired && acquired.lease().attempt() == 1) {
            release.accept(acquired.lease());
        }
    }
}
