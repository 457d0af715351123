package dev.semel.jdbc;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.life.KeyLife;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The writes of attempts in SQLite: a batch is one transaction, which costs one wait for the disk, and inside it each key
 * is looked at and decided over one by one, since nobody else can write meanwhile.
 */
final class SqliteKeyTable implements KeyTable {

    private static final String OWNED = " WHERE digest = ? AND nonce = ? AND token = ?";

    private final SqliteTransaction writer;
    private final TableName table;

    SqliteKeyTable(TableName table, SqliteTransaction writer) {
        this.table = table;
        this.writer = writer;
    }

    @Override
    public List<@Nullable Claim> claim(Connection connection, List<ClaimRequest> requests) throws SQLException {
        return writer.run(connection, now -> SqliteClaims.claim(connection, table, requests, now));
    }

    /** Nobody holds a single row here. */
    @Override
    public List<@Nullable Claim> claimUnheld(Connection connection, List<ClaimRequest> requests) throws SQLException {
        return claim(connection, requests);
    }

    @Override
    public <T> T inTransaction(Connection connection, Database.Work<T> work) throws SQLException {
        return work.run(connection);
    }

    @Override
    public Set<KeyDigest> lockUnheld(Connection connection, List<KeyDigest> digests) {
        return Set.of();
    }

    @Override
    public boolean[] settle(Connection connection, List<Settlement> settlements) throws SQLException {
        String settle = table.in("UPDATE {key} SET state = ?, status = ?, format = ?, settled_at = ?, expires_at = ?,"
                + " free_at = ?, purge_at = ?, headers = ?, body = ?" + OWNED + " AND state < 2");
        String settledBefore = table.in("SELECT 1 FROM {key}" + OWNED + " AND state >= 2");
        return writer.run(connection, now -> {
            boolean[] settled = new boolean[settlements.size()];
            try (PreparedStatement update = connection.prepareStatement(settle);
                    PreparedStatement check = connection.prepareStatement(settledBefore)) {
                for (int i = 0; i < settled.length; i++) {
                    Settlement settlement = settlements.get(i);
                    int next = bind(update, 1, settlement.outcome(), settlement.retention(), now);
                    bind(update, next, settlement.lease());
                    settled[i] = update.executeUpdate() == 1 || exists(check, settlement.lease());
                }
            }
            return settled;
        });
    }

    /** The outcome and the ends of its retention; returns the next free index. */
    static int bind(PreparedStatement statement, int first, Outcome outcome, Retention retention, long now)
            throws SQLException {
        long expiresAt = now + PostgresKeyTable.micros(retention.active());
        statement.setInt(first, outcome.isSuccess() ? KeyRow.SUCCEEDED : KeyRow.FAILED);
        statement.setInt(first + 1, outcome.status());
        statement.setInt(first + 2, outcome.format());
        statement.setLong(first + 3, now);
        statement.setLong(first + 4, expiresAt);
        statement.setLong(first + 5, expiresAt + PostgresKeyTable.micros(retention.tombstone()));
        statement.setLong(first + 6, now + PostgresKeyTable.micros(retention.total()));
        statement.setBytes(first + 7, HeaderLines.encode(outcome));
        statement.setBytes(first + 8, outcome.payload());
        return first + 9;
    }

    private static boolean exists(PreparedStatement check, Lease lease) throws SQLException {
        bind(check, 1, lease);
        try (ResultSet row = check.executeQuery()) {
            return row.next();
        }
    }

    @Override
    public boolean[] renew(Connection connection, List<Renewal> renewals) throws SQLException {
        String renew = table.in("UPDATE {key} SET lease_until = ?" + OWNED + " AND state = 0");
        return each(connection, renew, renewals, (statement, renewal, now) -> {
            statement.setLong(1, now + PostgresKeyTable.micros(renewal.duration()));
            bind(statement, 2, renewal.lease());
        });
    }

    @Override
    public boolean[] mark(Connection connection, List<Mark> marks) throws SQLException {
        String release = table.in("DELETE FROM {key}" + OWNED + " AND state < 2");
        return writer.run(connection, now -> {
            boolean[] held = new boolean[marks.size()];
            try (PreparedStatement releasing = connection.prepareStatement(release);
                    SqliteRows rows = new SqliteRows(connection, table, now)) {
                for (int i = 0; i < held.length; i++) {
                    Lease lease = marks.get(i).lease();
                    if (marks.get(i).release()) {
                        bind(releasing, 1, lease);
                        held[i] = releasing.executeUpdate() == 1;
                    } else {
                        held[i] = rows.change(lease.digest(), (key, moment) -> KeyLife.abandon(key, lease, moment))
                                .answer();
                    }
                }
            }
            return held;
        });
    }

    @Override
    public boolean[] recordSteps(Connection connection, List<StepResult> steps) throws SQLException {
        // The operator joins blobs as text, hence the cast back.
        String record =
                table.in("UPDATE {key} SET steps = CAST(coalesce(steps, x'') || ? AS BLOB)" + OWNED + " AND state = 0");
        return each(connection, record, steps, (statement, step, now) -> {
            statement.setBytes(1, Steps.encode(step.name(), step.result()));
            bind(statement, 2, step.lease());
        });
    }

    private <Q> boolean[] each(Connection connection, String sql, List<Q> requests, Binder<Q> binder)
            throws SQLException {
        return writer.run(connection, now -> {
            boolean[] held = new boolean[requests.size()];
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < held.length; i++) {
                    binder.bind(statement, requests.get(i), now);
                    held[i] = statement.executeUpdate() == 1;
                }
            }
            return held;
        });
    }

    private static void bind(PreparedStatement statement, int first, Lease lease) throws SQLException {
        statement.setBytes(first, KeyRow.bytes(lease.digest()));
        statement.setBytes(first + 1, KeyRow.bytes(lease.nonce()));
        statement.setLong(first + 2, lease.token());
    }

    private interface Binder<Q> {
        void bind(PreparedStatement statement, Q request, long now) throws SQLException;
    }
}
