package dev.semel.jdbc.sqlite;

import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.KeyTable;
import dev.semel.jdbc.dialect.LeaseEnd;
import dev.semel.jdbc.dialect.SettleRequest;
import dev.semel.jdbc.dialect.StepResult;
import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.jdbc.row.OwnerWrite;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.life.Change;
import dev.semel.spi.life.Moment;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The writes of attempts in SQLite: a batch is one transaction, which costs one wait for the disk, and inside it each key
 * is decided on one by one, since no other transaction can write meanwhile.
 */
record SqliteKeyTable(TableName table, SqliteTransaction writer) implements KeyTable {

    /** The operator joins blobs as text, so the result is cast back. */
    private static final OwnerWrite<StepResult> STEP = OwnerWrite.step("CAST(coalesce(steps, x'') || ? AS BLOB)");

    @Override
    public List<@Nullable Claim> claim(Connection connection, List<ClaimRequest> requests) throws SQLException {
        return writer.run(connection, (shared, now) -> SqliteClaims.claim(shared, table, requests, now));
    }

    /** Single rows are never locked here. */
    @Override
    public List<@Nullable Claim> claimUnheld(Connection connection, List<ClaimRequest> requests) throws SQLException {
        return claim(connection, requests);
    }

    @Override
    public <T> T inTransaction(Connection connection, StoreConnections.Work<T> work) throws SQLException {
        return work.run(connection);
    }

    @Override
    public Set<KeyDigest> lockUnheld(Connection connection, List<KeyDigest> digests) {
        return Set.of();
    }

    @Override
    public boolean[] settle(Connection connection, List<SettleRequest> settlements) throws SQLException {
        return write(connection, OwnerWrite.SETTLE, settlements);
    }

    @Override
    public boolean[] renew(Connection connection, List<Renewal> renewals) throws SQLException {
        return write(connection, OwnerWrite.RENEW, renewals);
    }

    @Override
    public boolean[] recordSteps(Connection connection, List<StepResult> steps) throws SQLException {
        return write(connection, STEP, steps);
    }

    private <Q> boolean[] write(Connection connection, OwnerWrite<Q> write, List<Q> requests) throws SQLException {
        // The time of the transaction is in the values already.
        String sql = table.in("UPDATE {key} SET " + write.set().replace("{now} + ", "") + " WHERE digest = ? AND "
                + OwnerWrite.AS_CLAIMED);
        return writer.run(connection, (shared, now) -> {
            Moment moment = KeyRow.moment(now);
            boolean[] held = new boolean[requests.size()];
            try (PreparedStatement update = shared.prepareStatement(sql);
                    SqliteRows rows = new SqliteRows(shared, table, now)) {
                for (int i = 0; i < held.length; i++) {
                    Q request = requests.get(i);
                    KeyDigest digest = write.lease().apply(request).digest();
                    held[i] = writeAsClaimed(update, write, request, moment)
                            || rows.change(digest, request, write.decision()).answer();
                }
            }
            return held;
        });
    }

    private static <Q> boolean writeAsClaimed(PreparedStatement update, OwnerWrite<Q> write, Q request, Moment moment)
            throws SQLException {
        Change<Boolean> change = write.asClaimed(request, moment);
        if (change == null) {
            return false;
        }
        Lease lease = write.lease().apply(request);
        int digest = write.binder().bind(update, 1, change.next());
        update.setBytes(digest, KeyRow.bytes(lease.digest()));
        OwnerWrite.bindAsClaimed(update, digest + 1, lease);
        return update.executeUpdate() == 1;
    }

    @Override
    public boolean[] end(Connection connection, List<LeaseEnd> ends) throws SQLException {
        return writer.run(connection, (shared, now) -> {
            boolean[] held = new boolean[ends.size()];
            try (SqliteRows rows = new SqliteRows(shared, table, now)) {
                for (int i = 0; i < held.length; i++) {
                    LeaseEnd end = ends.get(i);
                    held[i] = rows.change(end.lease().digest(), end, OwnerWrite.END)
                            .answer();
                }
            }
            return held;
        });
    }
}
