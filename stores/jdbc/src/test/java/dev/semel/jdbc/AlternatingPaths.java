package dev.semel.jdbc;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.JoinableKeyTable;
import dev.semel.jdbc.dialect.LeaseEnd;
import dev.semel.jdbc.dialect.SettleRequest;
import dev.semel.jdbc.dialect.StepResult;
import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** A key table in which calls, which come one at a time, take turns: alone, in a batch, without waiting, in a transaction. */
final class AlternatingPaths implements JoinableKeyTable {

    private static final int PATHS = 4;

    private final JoinableKeyTable table;
    private int turn;

    AlternatingPaths(JoinableKeyTable table) {
        this.table = table;
    }

    /** Several calls as one statement. */
    private interface Batch<Q, A> {
        A send(Connection connection, List<Q> requests) throws SQLException;
    }

    @Override
    public List<Claim> claim(Connection connection, List<ClaimRequest> requests) throws SQLException {
        return switch (turn++ % PATHS) {
            case 0 -> table.claim(connection, requests);
            case 1 -> {
                List<ClaimRequest> more =
                        with(requests, beside(), request -> request.key().digest());
                yield List.of(table.claim(connection, more).get(more.indexOf(requests.get(0))));
            }
            case 2 -> table.claimUnheld(connection, requests);
            default -> inTransaction(connection, own -> List.of(claimJoined(own, requests.get(0))));
        };
    }

    @Override
    public boolean[] settle(Connection connection, List<SettleRequest> settlements) throws SQLException {
        SettleRequest own = settlements.get(0);
        return switch (turn++ % PATHS) {
            case 0 -> table.settle(connection, settlements);
            case 1 ->
                besideAnother(
                        connection,
                        own,
                        new SettleRequest(lost(), own.outcome(), own.retention()),
                        SettleRequest::lease,
                        table::settle);
            default -> inTransaction(connection, joined -> new boolean[] {settleJoined(joined, own)});
        };
    }

    @Override
    public boolean[] renew(Connection connection, List<Renewal> renewals) throws SQLException {
        Renewal own = renewals.get(0);
        return besideAnother(connection, own, new Renewal(lost(), own.duration()), Renewal::lease, table::renew);
    }

    @Override
    public boolean[] end(Connection connection, List<LeaseEnd> ends) throws SQLException {
        LeaseEnd other = new LeaseEnd(lost(), LeaseEnd.Kind.RELEASE);
        return besideAnother(connection, ends.get(0), other, LeaseEnd::lease, table::end);
    }

    @Override
    public boolean[] recordSteps(Connection connection, List<StepResult> steps) throws SQLException {
        StepResult own = steps.get(0);
        StepResult other = new StepResult(lost(), own.name(), own.result());
        return besideAnother(connection, own, other, StepResult::lease, table::recordSteps);
    }

    private static <Q> boolean[] besideAnother(
            Connection connection, Q own, Q other, Function<Q, Lease> lease, Batch<Q, boolean[]> batch)
            throws SQLException {
        List<Q> both = with(List.of(own), other, request -> lease.apply(request).digest());
        return new boolean[] {batch.send(connection, both)[both.indexOf(own)]};
    }

    private static <Q> List<Q> with(List<Q> own, Q other, Function<Q, KeyDigest> digest) {
        List<Q> more = new ArrayList<>(own);
        more.add(other);
        more.sort(Comparator.comparing(digest));
        return more;
    }

    private static ClaimRequest beside() {
        return ClaimRequest.builder(Key.of("beside", UUID.randomUUID().toString()), "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(1))
                .build();
    }

    private static Lease lost() {
        return new Lease(beside().key().digest(), UUID.randomUUID(), 1, 1);
    }

    @Override
    public List<Claim> claimUnheld(Connection connection, List<ClaimRequest> requests) throws SQLException {
        return table.claimUnheld(connection, requests);
    }

    @Override
    public <T> T inTransaction(Connection connection, StoreConnections.Work<T> work) throws SQLException {
        return table.inTransaction(connection, work);
    }

    @Override
    public Set<KeyDigest> lockUnheld(Connection connection, List<KeyDigest> digests) throws SQLException {
        return table.lockUnheld(connection, digests);
    }

    @Override
    public Claim claimJoined(Connection connection, ClaimRequest request) throws SQLException {
        return table.claimJoined(connection, request);
    }

    @Override
    public boolean settleJoined(Connection connection, SettleRequest settlement) throws SQLException {
        return table.settleJoined(connection, settlement);
    }
}
