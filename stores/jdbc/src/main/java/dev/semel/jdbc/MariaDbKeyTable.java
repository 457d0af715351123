package dev.semel.jdbc;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.PayloadTooLargeException;
import dev.semel.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The writes of attempts in MariaDB. */
final class MariaDbKeyTable implements JoinableKeyTable {

    /** A transaction of the application would have to be rolled back if its settle gave up: longer than any commit. */
    private static final int JOINED_SETTLE_PATIENCE = 1;

    private static final int JOINED_ROUNDS = 2;
    private static final int ALWAYS_FITS = 256 * 1024;

    static final String OWNED = " WHERE digest = ? AND nonce = ? AND token = ?";

    /** The outcome, and the ends of its retention; see {@link #bind}. */
    static final String OUTCOME = """
            state = ?, status = ?, format = ?, settled_at = {now}, expires_at = {now} + ?, free_at = {now} + ?,
                purge_at = {now} + ?, headers = ?, body = ?""";

    /** One more line, see {@link HistoryLines}, with the event and the note as parameters. */
    static final String NOTED = """
            history = RIGHT(CONCAT(COALESCE(history, ''), DATE_FORMAT(UTC_TIMESTAMP(6), '%Y-%m-%dT%H:%i:%s.%fZ'), '\t',
                attempt, '\t', token, '\t', ?, '\t', ?, '\n'), 16000)""";

    /** A row of a released key stays for a while: a claim that is stuck in the middle must not get an older token. */
    static final String RELEASED = "state = 4, steps = NULL, expires_at = 0, free_at = 0, purge_at = {now} + 600000000";

    private final TableName table;
    private final MariaDbClaims claims;
    private final MariaDbClaims joinedClaims;
    private final MariaDbWrite settle;
    private final MariaDbWrite settleJoined;
    private final MariaDbWrite renew;
    private final String release;
    private final String abandon;
    private final String unknown;
    private final MariaDbWrite step;
    private final String token;
    private final String lock;

    MariaDbKeyTable(TableName table) {
        this.table = table;
        claims = MariaDbClaims.ofLane(table);
        joinedClaims = MariaDbClaims.joined(table);
        UnaryOperator<String> none = sql -> MariaDbDialect.withPatience(MariaDbClaims.NO_PATIENCE, sql);
        settle = new MariaDbWrite(table, OUTCOME, "state < 2", "state IN (2, 3)", none);
        settleJoined = new MariaDbWrite(
                table,
                OUTCOME,
                "state < 2",
                "state IN (2, 3)",
                sql -> MariaDbDialect.joined(JOINED_SETTLE_PATIENCE, sql));
        renew = new MariaDbWrite(table, "lease_until = {now} + ?", "state = 0", "state = 0", none);
        release = impatient("UPDATE {key} SET " + RELEASED + OWNED + " AND state < 2");
        abandon = impatient("UPDATE {key} SET " + NOTED + ", state = 1" + OWNED + " AND state = 0");
        unknown = in("SELECT 1 FROM {key}" + OWNED + " AND state = 1");
        token = in("SELECT token FROM {key} WHERE digest = ?");
        step = new MariaDbWrite(table, "steps = CONCAT(COALESCE(steps, ''), ?)", "state = 0", "state = 0", none);
        lock = in("SELECT digest FROM {key} WHERE digest IN ");
    }

    private String in(String sql) {
        return MariaDbDialect.in(table, sql);
    }

    private String impatient(String sql) {
        return MariaDbDialect.withPatience(MariaDbClaims.NO_PATIENCE, in(sql));
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
    public <T> T inTransaction(Connection connection, Database.Work<T> work) throws SQLException {
        return MariaDbTransaction.run(connection, work);
    }

    @Override
    public Set<KeyDigest> lockUnheld(Connection connection, List<KeyDigest> digests) throws SQLException {
        Set<KeyDigest> unheld = find(connection, digests, " ORDER BY digest FOR UPDATE SKIP LOCKED");
        Set<KeyDigest> held = find(connection, digests, "");
        held.removeAll(unheld);
        return held;
    }

    private Set<KeyDigest> find(Connection connection, List<KeyDigest> digests, String locking) throws SQLException {
        String sql = lock + MariaDbDialect.list(digests.size()) + locking;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < digests.size(); i++) {
                statement.setBytes(i + 1, KeyRow.bytes(digests.get(i)));
            }
            Set<KeyDigest> found = new HashSet<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(KeyRow.digest(rows.getBytes(1)));
                }
            }
            return found;
        }
    }

    /**
     * The transaction may have begun before another one took the key, and then does not see what became of it. So what
     * cannot be had and cannot be seen is in flight: a retry, in a transaction of its own, sees it.
     */
    @Override
    public Claim claimJoined(Connection connection, ClaimRequest request) throws SQLException {
        try {
            for (int round = 0; round < JOINED_ROUNDS; round++) {
                Claim claim = joinedClaims.claim(connection, List.of(request)).get(0);
                if (claim != null) {
                    return claim;
                }
            }
        } catch (SQLException e) {
            if (e.getErrorCode() != MariaDbDialect.LOCK_WAIT_TIMEOUT) {
                throw e;
            }
        }
        return KeyTable.heldByTransaction();
    }

    @Override
    public boolean settleJoined(Connection connection, Settlement settlement) throws SQLException {
        return !isTaken(connection, settlement.lease()) && settle(connection, settleJoined, List.of(settlement))[0];
    }

    @Override
    public boolean[] settle(Connection connection, List<Settlement> settlements) throws SQLException {
        return settle(connection, settle, settlements);
    }

    private static boolean[] settle(Connection connection, MariaDbWrite write, List<Settlement> settlements)
            throws SQLException {
        for (Settlement settlement : settlements) {
            requireFits(connection, settlement.outcome().payload());
        }
        return write.run(
                connection,
                settlements,
                Settlement::lease,
                settlement -> length(settlement.outcome().payload()),
                (statement, first, settlement) -> bind(statement, first, settlement.outcome(), settlement.retention()));
    }

    private static int length(byte @Nullable [] value) {
        return value == null ? 0 : value.length;
    }

    /**
     * Whether a later attempt is known to have the key. An update of its row would change nothing, but lock it until the
     * transaction of the application ends, and its owner could not settle it.
     */
    private boolean isTaken(Connection connection, Lease lease) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(token)) {
            statement.setBytes(1, KeyRow.bytes(lease.digest()));
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getLong(1) > lease.token();
            }
        }
    }

    /** The server breaks the connection over a statement that is too long, which looks as if it might pass. */
    static void requireFits(Connection connection, byte @Nullable [] value) throws SQLException {
        if (value == null || value.length < ALWAYS_FITS) {
            return;
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@max_allowed_packet")) {
            row.next();
            // Each byte may be escaped by another one.
            if (2L * value.length + ALWAYS_FITS > row.getLong(1)) {
                String why =
                        "a value of " + value.length + " bytes can take more than twice as many in a statement, and"
                                + " MariaDB accepts " + row.getLong(1) + "; raise max_allowed_packet";
                throw new SQLException(why, "22001", MariaDbDialect.TOO_LARGE, new PayloadTooLargeException(why));
            }
        }
    }

    /** Binds what {@link #OUTCOME} asks for, and returns the next free index. */
    static int bind(PreparedStatement statement, int first, Outcome outcome, Retention retention) throws SQLException {
        long active = PostgresKeyTable.micros(retention.active());
        statement.setInt(first, outcome.isSuccess() ? KeyRow.SUCCEEDED : KeyRow.FAILED);
        statement.setInt(first + 1, outcome.status());
        statement.setInt(first + 2, outcome.format());
        statement.setLong(first + 3, active);
        statement.setLong(first + 4, active + PostgresKeyTable.micros(retention.tombstone()));
        statement.setLong(first + 5, PostgresKeyTable.micros(retention.total()));
        statement.setBytes(first + 6, HeaderLines.encode(outcome));
        statement.setBytes(first + 7, outcome.payload());
        return first + 8;
    }

    @Override
    public boolean[] renew(Connection connection, List<Renewal> renewals) throws SQLException {
        return renew.run(connection, renewals, Renewal::lease, renewal -> 0, (statement, first, renewal) -> {
            statement.setLong(first, PostgresKeyTable.micros(renewal.duration()));
            return first + 1;
        });
    }

    @Override
    public boolean[] recordSteps(Connection connection, List<StepResult> steps) throws SQLException {
        for (StepResult result : steps) {
            requireFits(connection, result.result());
        }
        return step.run(
                connection, steps, StepResult::lease, result -> result.result().length, (statement, first, result) -> {
                    statement.setBytes(first, Steps.encode(result.name(), result.result()));
                    return first + 1;
                });
    }

    /** One by one, because a release that is repeated must find nothing, and only the count of its rows tells. */
    @Override
    public boolean[] mark(Connection connection, List<Mark> marks) throws SQLException {
        return marks.size() == 1
                ? markEach(connection, marks)
                : MariaDbTransaction.run(connection, transaction -> markEach(transaction, marks));
    }

    private boolean[] markEach(Connection connection, List<Mark> marks) throws SQLException {
        boolean[] held = new boolean[marks.size()];
        try (PreparedStatement releasing = connection.prepareStatement(release);
                PreparedStatement abandoning = connection.prepareStatement(abandon);
                PreparedStatement checking = connection.prepareStatement(unknown)) {
            for (int i = 0; i < held.length; i++) {
                Lease lease = marks.get(i).lease();
                held[i] = marks.get(i).release()
                        ? releases(releasing, lease)
                        : abandons(abandoning, lease) || exists(checking, lease);
            }
        }
        return held;
    }

    private static boolean releases(PreparedStatement releasing, Lease lease) throws SQLException {
        MariaDbWrite.bind(releasing, 1, lease);
        return releasing.executeUpdate() == 1;
    }

    private static boolean abandons(PreparedStatement abandoning, Lease lease) throws SQLException {
        abandoning.setString(1, "marked unknown");
        abandoning.setString(2, "nobody can tell what happened");
        MariaDbWrite.bind(abandoning, 3, lease);
        return abandoning.executeUpdate() == 1;
    }

    private static boolean exists(PreparedStatement checking, Lease lease) throws SQLException {
        MariaDbWrite.bind(checking, 1, lease);
        try (ResultSet row = checking.executeQuery()) {
            return row.next();
        }
    }
}
