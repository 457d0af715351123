package dev.semel.jdbc;

import dev.semel.Outcome;
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
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The writes of attempts in MariaDB. A batch is one commit, which costs one wait for the disk; its statements travel
 * together.
 */
final class MariaDbKeyTable implements JoinableKeyTable {

    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int JOINED_ROUNDS = 2;
    private static final int ALWAYS_FITS = 256 * 1024;

    private static final String OWNED = " WHERE digest = ? AND nonce = ? AND token = ?";

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
    private final String settle;
    private final String renew;
    private final String release;
    private final String abandon;
    private final String unknown;
    private final String step;
    private final String token;

    MariaDbKeyTable(TableName table) {
        this.table = table;
        claims = new MariaDbClaims(table);
        settle = patient("UPDATE {key} SET " + OUTCOME + OWNED + " AND state < 2");
        renew = patient("UPDATE {key} SET lease_until = {now} + ?" + OWNED + " AND state = 0");
        release = patient("UPDATE {key} SET " + RELEASED + OWNED + " AND state < 2");
        abandon = patient("UPDATE {key} SET " + NOTED + ", state = 1" + OWNED + " AND state = 0");
        unknown = in("SELECT 1 FROM {key}" + OWNED + " AND state = 1");
        token = in("SELECT token FROM {key} WHERE digest = ?");
        step = patient("UPDATE {key} SET steps = CONCAT(COALESCE(steps, ''), ?)" + OWNED + " AND state = 0");
    }

    private String in(String sql) {
        return MariaDbDialect.in(table, sql);
    }

    private String patient(String sql) {
        return MariaDbDialect.withPatience(MariaDbClaims.LANE_PATIENCE, in(sql));
    }

    @Override
    public List<@Nullable Claim> claim(Connection connection, List<ClaimRequest> requests) throws SQLException {
        return claims.claim(connection, requests, MariaDbClaims.LANE_PATIENCE);
    }

    @Override
    public Claim look(Connection connection, ClaimRequest request) throws SQLException {
        Claim claim = claims.look(connection, request);
        return claim == null ? heldByTransaction() : claim;
    }

    /**
     * The transaction may have begun before another one took the key, and then does not see what became of it. So what
     * cannot be had and cannot be seen is in flight: a retry, in a transaction of its own, sees it.
     */
    @Override
    public Claim claimJoined(Connection connection, ClaimRequest request) throws SQLException {
        try {
            for (int round = 0; round < JOINED_ROUNDS; round++) {
                Claim claim = claims.claim(connection, List.of(request), MariaDbClaims.JOINED_PATIENCE)
                        .get(0);
                if (claim != null) {
                    return claim;
                }
            }
        } catch (SQLException e) {
            if (e.getErrorCode() != LOCK_WAIT_TIMEOUT) {
                throw e;
            }
        }
        return heldByTransaction();
    }

    private static Claim heldByTransaction() {
        return new Claim.InFlight(Duration.ZERO, Duration.ZERO);
    }

    @Override
    public boolean[] settle(Connection connection, List<Settlement> settlements) throws SQLException {
        if (!connection.getAutoCommit()
                && isTaken(connection, settlements.get(0).lease())) {
            return new boolean[1];
        }
        for (Settlement settlement : settlements) {
            requireFits(connection, settlement.outcome().payload());
        }
        return each(
                connection,
                settle,
                " AND state IN (2, 3)",
                settlements,
                Settlement::lease,
                (statement, settlement) -> bind(statement, settlement.outcome(), settlement.retention()));
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
                throw new SQLException(
                        "a value of " + value.length + " bytes can take more than twice as many in a statement, and"
                                + " MariaDB accepts " + row.getLong(1) + "; raise max_allowed_packet",
                        "22001",
                        MariaDbDialect.TOO_LARGE);
            }
        }
    }

    /** Binds what {@link #OUTCOME} asks for, and returns the next free index. */
    static int bind(PreparedStatement statement, Outcome outcome, Retention retention) throws SQLException {
        long active = PostgresKeyTable.micros(retention.active());
        statement.setInt(1, outcome.isSuccess() ? KeyRow.SUCCEEDED : KeyRow.FAILED);
        statement.setInt(2, outcome.status());
        statement.setInt(3, outcome.format());
        statement.setLong(4, active);
        statement.setLong(5, active + PostgresKeyTable.micros(retention.tombstone()));
        statement.setLong(6, PostgresKeyTable.micros(retention.total()));
        statement.setBytes(7, HeaderLines.encode(outcome));
        statement.setBytes(8, outcome.payload());
        return 9;
    }

    @Override
    public boolean[] renew(Connection connection, List<Renewal> renewals) throws SQLException {
        return each(connection, renew, " AND state = 0", renewals, Renewal::lease, (statement, renewal) -> {
            statement.setLong(1, PostgresKeyTable.micros(renewal.duration()));
            return 2;
        });
    }

    @Override
    public boolean[] recordSteps(Connection connection, List<StepResult> steps) throws SQLException {
        for (StepResult result : steps) {
            requireFits(connection, result.result());
        }
        return each(connection, step, " AND state = 0", steps, StepResult::lease, (statement, result) -> {
            statement.setBytes(1, Steps.encode(result.name(), result.result()));
            return 2;
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
        bind(releasing, 1, lease);
        return releasing.executeUpdate() == 1;
    }

    private static boolean abandons(PreparedStatement abandoning, Lease lease) throws SQLException {
        abandoning.setString(1, "marked unknown");
        abandoning.setString(2, "nobody can tell what happened");
        bind(abandoning, 3, lease);
        return abandoning.executeUpdate() == 1;
    }

    private static boolean exists(PreparedStatement checking, Lease lease) throws SQLException {
        bind(checking, 1, lease);
        try (ResultSet row = checking.executeQuery()) {
            return row.next();
        }
    }

    /** Binds what comes before the lease, and returns the next free index. */
    private interface Binder<Q> {
        int bind(PreparedStatement statement, Q request) throws SQLException;
    }

    /** Writes, and where a write changed no row, looks whether it has been done before. */
    private <Q> boolean[] each(
            Connection connection,
            String sql,
            String done,
            List<Q> requests,
            Function<Q, Lease> lease,
            Binder<Q> binder)
            throws SQLException {
        boolean[] held = new boolean[requests.size()];
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            boolean all = true;
            if (requests.size() == 1) {
                bind(statement, binder.bind(statement, requests.get(0)), lease.apply(requests.get(0)));
                held[0] = statement.executeUpdate() == 1;
                all = held[0];
            } else {
                for (Q request : requests) {
                    bind(statement, binder.bind(statement, request), lease.apply(request));
                    statement.addBatch();
                }
                int[] counts = MariaDbTransaction.run(connection, transaction -> statement.executeBatch());
                for (int i = 0; i < held.length; i++) {
                    held[i] = counts[i] == 1;
                    all &= held[i];
                }
            }
            if (!all) {
                look(connection, done, requests, lease, held);
            }
        }
        return held;
    }

    private <Q> void look(
            Connection connection, String done, List<Q> requests, Function<Q, Lease> lease, boolean[] held)
            throws SQLException {
        String sql = in("SELECT digest, nonce, token FROM {key} WHERE digest IN ")
                + MariaDbDialect.list(requests.size())
                + done
                + (connection.getAutoCommit() ? "" : " LOCK IN SHARE MODE");
        Set<List<Object>> found = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < held.length; i++) {
                statement.setBytes(
                        i + 1, KeyRow.bytes(lease.apply(requests.get(i)).digest()));
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(
                            List.of(KeyRow.digest(rows.getBytes(1)), KeyRow.digest(rows.getBytes(2)), rows.getLong(3)));
                }
            }
        }
        for (int i = 0; i < held.length; i++) {
            Lease each = lease.apply(requests.get(i));
            held[i] |= found.contains(List.of(each.digest(), KeyRow.digest(KeyRow.bytes(each.nonce())), each.token()));
        }
    }

    private static void bind(PreparedStatement statement, int first, Lease lease) throws SQLException {
        statement.setBytes(first, KeyRow.bytes(lease.digest()));
        statement.setBytes(first + 1, KeyRow.bytes(lease.nonce()));
        statement.setLong(first + 2, lease.token());
    }
}
