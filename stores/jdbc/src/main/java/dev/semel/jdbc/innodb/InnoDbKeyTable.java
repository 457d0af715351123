package dev.semel.jdbc.innodb;

import static dev.semel.jdbc.dialect.Statements.PLAIN;

import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.JoinableKeyTable;
import dev.semel.jdbc.dialect.KeyTable;
import dev.semel.jdbc.dialect.LeaseEnd;
import dev.semel.jdbc.dialect.SettleRequest;
import dev.semel.jdbc.dialect.StepResult;
import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.dialect.Transactions;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.jdbc.row.OwnerWrite;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.store.PayloadTooLargeException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The writes of attempts in MariaDB and MySQL. */
final class InnoDbKeyTable implements JoinableKeyTable {

    private static final int ALWAYS_FITS = 256 * 1024;

    private static final OwnerWrite<StepResult> STEP = OwnerWrite.step("CONCAT(COALESCE(steps, ''), ?)");

    private static final OwnerWrite<LeaseEnd> RELEASE = new OwnerWrite<>(
            LeaseEnd::lease, OwnerWrite.END, InnoDbRowWrites.FORGOTTEN, "b", (statement, first, next) -> {
                statement.setBytes(first, InnoDbRowWrites.NO_FINGERPRINT);
                return first + 1;
            });

    private final InnoDbDialect dialect;
    private final InnoDbClaims claims;
    private final InnoDbClaims joinedClaims;
    private final InnoDbWrite<SettleRequest> settle;
    private final InnoDbWrite<SettleRequest> settleJoined;
    private final InnoDbWrite<Renewal> renew;
    private final InnoDbWrite<StepResult> step;
    private final InnoDbWrite<LeaseEnd> release;
    private final InnoDbRows rows;
    private final String token;
    private final String find;

    InnoDbKeyTable(TableName table, InnoDbDialect dialect) {
        this.dialect = dialect;
        claims = dialect.claims(table, false);
        joinedClaims = dialect.claims(table, true);
        rows = InnoDbRows.ofLane(table);
        settle = new InnoDbWrite<>(
                OwnerWrite.SETTLE, InnoDbKeyTable::bytes, dialect.manyAtOnce(table, OwnerWrite.SETTLE), rows);
        renew = new InnoDbWrite<>(OwnerWrite.RENEW, renewal -> 0, dialect.manyAtOnce(table, OwnerWrite.RENEW), rows);
        step = new InnoDbWrite<>(STEP, result -> result.result().length, dialect.manyAtOnce(table, STEP), rows);
        release = new InnoDbWrite<>(RELEASE, end -> 0, dialect.manyAtOnce(table, RELEASE), rows);
        settleJoined = new InnoDbWrite<>(
                OwnerWrite.SETTLE,
                InnoDbKeyTable::bytes,
                one -> dialect.joined(update(table, OwnerWrite.SETTLE)),
                InnoDbRows.joined(table, dialect));
        token = table.in("SELECT token FROM {key} WHERE digest = ?");
        find = table.in("SELECT digest, token FROM {key} FORCE INDEX ({name}_digest) WHERE digest IN ");
    }

    /** A write of one attempt, which waits for a locked row. */
    static String update(TableName table, OwnerWrite<?> write) {
        return InnoDbDialect.in(
                table, "UPDATE {key} SET " + write.set() + " WHERE digest = ? AND " + OwnerWrite.AS_CLAIMED);
    }

    private static int bytes(SettleRequest settlement) {
        byte[] payload = settlement.outcome().payload();
        return payload == null ? 0 : payload.length;
    }

    @Override
    public List<@Nullable Claim> claim(Connection connection, List<ClaimRequest> requests) throws SQLException {
        return claims.claim(connection, requests);
    }

    @Override
    public List<@Nullable Claim> claimUnheld(Connection connection, List<ClaimRequest> requests) throws SQLException {
        return claims.claimUnheld(connection, requests);
    }

    @Override
    public <T> T inTransaction(Connection connection, StoreConnections.Work<T> work) throws SQLException {
        return Transactions.join(connection, work::run);
    }

    @Override
    public Set<KeyDigest> lockUnheld(Connection connection, List<KeyDigest> digests) throws SQLException {
        Set<KeyDigest> unheld = find(connection, digests, " ORDER BY digest FOR UPDATE SKIP LOCKED");
        Set<KeyDigest> held = find(connection, digests, "");
        held.removeAll(unheld);
        return held;
    }

    private Set<KeyDigest> find(Connection connection, List<KeyDigest> digests, String locking) throws SQLException {
        String sql = find + InnoDbDialect.list(digests.size()) + locking;
        Object[] names = digests.stream().map(KeyRow::bytes).toArray();
        return new HashSet<>(PLAIN.all(connection, sql, row -> KeyRow.digest(row.getBytes(1)), names));
    }

    /**
     * The transaction may have begun before another one took the key, and then does not see its outcome. So what
     * cannot be had and cannot be seen is in flight: a retry, in its own transaction, sees it.
     */
    @Override
    public Claim claimJoined(Connection connection, ClaimRequest request) throws SQLException {
        try {
            for (int round = 0; round < dialect.joinedRounds(); round++) {
                Claim claim = joinedClaims.claim(connection, List.of(request)).get(0);
                if (claim != null) {
                    return claim;
                }
            }
        } catch (SQLException e) {
            if (!InnoDbDialect.isLocked(e)) {
                throw e;
            }
        }
        return KeyTable.heldByTransaction();
    }

    @Override
    public boolean settleJoined(Connection connection, SettleRequest settlement) throws SQLException {
        requireFits(connection, settlement.outcome().payload());
        return !isTaken(connection, settlement.lease()) && settleJoined.run(connection, List.of(settlement))[0];
    }

    /**
     * Whether a later attempt is known to have the key. An update of its row would change nothing, but lock it until the
     * transaction of the application ends, and its owner could not settle it.
     */
    private boolean isTaken(Connection connection, Lease lease) throws SQLException {
        Long last = PLAIN.first(connection, token, row -> row.getLong(1), KeyRow.bytes(lease.digest()));
        return last != null && last > lease.token();
    }

    @Override
    public boolean[] settle(Connection connection, List<SettleRequest> settlements) throws SQLException {
        for (SettleRequest settlement : settlements) {
            requireFits(connection, settlement.outcome().payload());
        }
        return settle.run(connection, settlements);
    }

    /** The server breaks the connection over a statement that is too long, which looks as if it might pass. */
    static void requireFits(Connection connection, byte @Nullable [] value) throws SQLException {
        if (value == null || value.length < ALWAYS_FITS) {
            return;
        }
        long accepted = PLAIN.one(connection, "SELECT @@max_allowed_packet", row -> row.getLong(1));
        // Each byte may be escaped by another one.
        if (2L * value.length + ALWAYS_FITS > accepted) {
            String why = "a value of " + value.length + " bytes can take more than twice as many in a statement, and"
                    + " the server accepts " + accepted + "; raise max_allowed_packet";
            throw new SQLException(why, "22001", InnoDbDialect.TOO_LARGE, new PayloadTooLargeException(why));
        }
    }

    @Override
    public boolean[] renew(Connection connection, List<Renewal> renewals) throws SQLException {
        return renew.run(connection, renewals);
    }

    @Override
    public boolean[] recordSteps(Connection connection, List<StepResult> steps) throws SQLException {
        for (StepResult result : steps) {
            requireFits(connection, result.result());
        }
        return step.run(connection, steps);
    }

    /** Many are read first, because a release that is repeated must find nothing, and a count of rows does not tell which did. */
    @Override
    public boolean[] end(Connection connection, List<LeaseEnd> ends) throws SQLException {
        return ends.size() == 1 && ends.get(0).isRelease()
                ? release.run(connection, ends)
                : rows.change(connection, ends, end -> end.lease().digest(), OwnerWrite.END);
    }
}
