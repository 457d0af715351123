package dev.semel.jdbc.postgres;

import dev.semel.KeyDigest;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.jdbc.dialect.KeyTable;
import dev.semel.jdbc.dialect.LeaseEnd;
import dev.semel.jdbc.dialect.SettleRequest;
import dev.semel.jdbc.dialect.SharedKeyTable;
import dev.semel.jdbc.dialect.StepResult;
import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.statement.PostgresRows;
import dev.semel.jdbc.postgres.statement.PostgresSession;
import dev.semel.jdbc.postgres.statement.PostgresStatements;
import dev.semel.jdbc.postgres.statement.PostgresTransaction;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.jdbc.row.StoredHeaders;
import dev.semel.jdbc.row.StoredSteps;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.life.RetentionText;
import dev.semel.util.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The writes of attempts in PostgreSQL: each a call of one of the functions that the schema brings along, but for the
 * insert of a single new key.
 *
 * <p>The functions hold everything that a session would otherwise have to be set up for, and the server keeps their
 * plans. So nothing here depends on which session a connection leads to, and a pooler in between may change it.
 */
final class PostgresKeyTable implements SharedKeyTable {

    private static final int QUICK = 0;
    private static final int CAREFUL = 1;
    private static final int LOOK = 3;
    private static final String UNIQUE_VIOLATION = "23505";

    /** For how long claims are careful after one of them raced with another node for a new key. */
    private static final long CAREFUL_NANOS = 1_000_000_000L;

    private static final int JOINED_ROUNDS = 3;

    /** How many keys are tried, with a short wait for each, to find the locked ones. */
    private static final int MOST_WAITS = 2;

    /**
     * Claims a new key like the function for one key, and ignores any other key: an insert of one row has no plan that
     * could be wrong, and without the function around it takes less time.
     */
    private static final String INSERT = """
            INSERT INTO {key} (digest, nonce, token, claimed_at, lease_until, attempt, fingerprint,
                namespace, scope, key, operation, trace_id, retention, state)
            SELECT ?, ?, nextval('{key}_token'), clock_timestamp(), clock_timestamp() + ? * interval '1 microsecond', 1, ?,
                ?, ?, ?, ?, ?, ?, 0
            WHERE (current_setting('synchronous_commit') <> 'off' OR set_config('synchronous_commit', 'on', true) = 'on')
                AND set_config('lock_timeout', '50ms', true) <> ''
            ON CONFLICT DO NOTHING
            RETURNING token""";

    /**
     * Claims keys within a transaction of the application, or looks at them only if another one is claiming some of them.
     * A claim in such a transaction holds the key's advisory lock until the transaction ends.
     */
    private static final String CLAIM_SHARED = """
            SELECT c.*
            FROM (
                SELECT CASE
                        WHEN bool_and(pg_try_advisory_xact_lock(hashtextextended(digest::text, 0)))
                            AND set_config('idle_in_transaction_session_timeout', CASE
                                    WHEN current_setting('idle_in_transaction_session_timeout') = '0' THEN ?
                                    ELSE current_setting('idle_in_transaction_session_timeout') END, true) <> ''
                        THEN 0 ELSE 3 END AS mode
                FROM unnest(?::uuid[]) AS digest) unheld
            CROSS JOIN LATERAL {key}_claim(unheld.mode, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) c""";

    private volatile boolean raced;
    private volatile long racedAt;
    private volatile boolean inGenerations;

    /** Whether the last claim that travelled alone was of a new key, as the next one then probably is. */
    private volatile boolean mostlyNew = true;

    private final String insert;
    private final String claim;
    private final String claimOne;
    private final String claimJoined;
    private final String claimShared;
    private final String settle;
    private final String settleOne;
    private final String settleJoined;
    private final PostgresHeldKeys heldKeys;
    private final String renew;
    private final String mark;
    private final String step;

    PostgresKeyTable(TableName table, boolean inGenerations) {
        this.inGenerations = inGenerations;
        insert = table.in(INSERT);
        claim = table.in("SELECT * FROM {key}_claim(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        claimOne = table.in("SELECT * FROM {key}_claim_one(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        claimJoined = table.in("SELECT * FROM {key}_claim_joined(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        claimShared = table.in(CLAIM_SHARED);
        settle = table.in("SELECT * FROM {key}_settle(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        settleOne = table.in("SELECT {key}_settle_one(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        settleJoined = table.in("SELECT {key}_settle_joined(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        heldKeys = new PostgresHeldKeys(table);
        renew = table.in("SELECT * FROM {key}_renew(?, ?, ?, ?)");
        mark = table.in("SELECT * FROM {key}_mark(?, ?, ?, ?)");
        step = table.in("SELECT * FROM {key}_step(?, ?, ?, ?)");
    }

    @Override
    public List<@Nullable Claim> claim(Connection connection, List<ClaimRequest> requests) throws SQLException {
        if (requests.size() == 1) {
            return Collections.singletonList(claimOne(connection, requests.get(0)));
        }
        boolean careful = raced && System.nanoTime() - racedAt < CAREFUL_NANOS;
        try {
            return claim(connection, requests, careful ? CAREFUL : QUICK);
        } catch (SQLException e) {
            if (careful || !UNIQUE_VIOLATION.equals(e.getSQLState())) {
                throw e;
            }
            racedAt = System.nanoTime();
            raced = true;
            return claim(connection, requests, CAREFUL);
        }
    }

    /** A statement without a name has to be planned every time, and then the function is quicker. */
    private @Nullable Claim claimOne(Connection connection, ClaimRequest request) throws SQLException {
        if (mostlyNew && !inGenerations && PostgresSession.isOwn(connection)) {
            Claim claim = insert(connection, request);
            if (claim != null) {
                return claim;
            }
        }
        Claim claim = claim(connection, claimOne, request);
        mostlyNew = claim instanceof Claim.Acquired;
        return claim;
    }

    /** {@code null} if the key is not new. */
    private @Nullable Claim insert(Connection connection, ClaimRequest request) throws SQLException {
        try (PreparedStatement statement = PostgresStatements.prepareOften(connection, insert)) {
            statement.setObject(1, request.key().digest().asUuid());
            statement.setObject(2, request.nonce());
            statement.setLong(3, Micros.of(request.lease()));
            statement.setBytes(4, request.fingerprint().bytes());
            statement.setString(5, storedNamespace(request));
            statement.setString(6, request.key().scope());
            statement.setString(7, request.key().value());
            statement.setString(8, request.operation());
            statement.setString(9, storableTrace(request));
            statement.setString(10, RetentionText.encode(request.retention()));
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? PostgresRows.firstAttempt(request, row.getLong(1)) : null;
            }
        } catch (SQLException e) {
            if (!PostgresDialect.NOT_IN_SLOTS.equals(e.getSQLState())) {
                throw e;
            }
            inGenerations = true;
            return null;
        }
    }

    /** Reading visible keys never waits. Others are free, or held by a transaction. */
    @Override
    public List<@Nullable Claim> claimUnheld(Connection connection, List<ClaimRequest> requests) throws SQLException {
        return inTransaction(connection, transaction -> {
            Map<KeyDigest, Claim> answers = new HashMap<>();
            claimUnheld(transaction, requests, LOOK, answers);
            List<ClaimRequest> unseen = requests.stream()
                    .filter(request -> !answers.containsKey(request.key().digest()))
                    .toList();
            List<ClaimRequest> unheld = heldKeys.notBeingClaimed(transaction, unseen);
            if (!unheld.isEmpty()
                    && !heldKeys.tryTo(transaction, () -> claimUnheld(transaction, unheld, CAREFUL, answers))) {
                int waits = 0;
                for (int i = 0; i < unheld.size() && waits < MOST_WAITS; i++) {
                    List<ClaimRequest> one = unheld.subList(i, i + 1);
                    waits += heldKeys.tryTo(transaction, () -> claimUnheld(transaction, one, CAREFUL, answers)) ? 0 : 1;
                }
            }
            return requests.stream()
                    .map(request -> answers.get(request.key().digest()))
                    .collect(Collectors.toCollection(ArrayList::new));
        });
    }

    private void claimUnheld(
            Connection connection, List<ClaimRequest> requests, int mode, Map<KeyDigest, Claim> answers)
            throws SQLException {
        List<@Nullable Claim> claims = claim(connection, requests, mode);
        for (int i = 0; i < claims.size(); i++) {
            Claim claim = claims.get(i);
            if (claim != null) {
                answers.put(requests.get(i).key().digest(), claim);
            }
        }
    }

    @Override
    public <T> T inTransaction(Connection connection, StoreConnections.Work<T> work) throws SQLException {
        return PostgresTransaction.run(connection, work);
    }

    @Override
    public Set<KeyDigest> lockUnheld(Connection connection, List<KeyDigest> digests) throws SQLException {
        return heldKeys.lockUnheld(connection, digests);
    }

    private List<@Nullable Claim> claim(Connection connection, List<ClaimRequest> requests, int mode)
            throws SQLException {
        try (PreparedStatement statement = PostgresStatements.prepareOften(connection, claim)) {
            statement.setInt(1, mode);
            return claim(connection, statement, 2, requests);
        }
    }

    /** Sets the parameters from the first one on, and reads the answers: {@code null} where there is none. */
    private static List<@Nullable Claim> claim(
            Connection connection, PreparedStatement statement, int first, List<ClaimRequest> requests)
            throws SQLException {
        PostgresArrays arrays = new PostgresArrays(connection, statement, first, requests.size());
        arrays.uuids(requests, request -> request.key().digest().asUuid());
        arrays.uuids(requests, ClaimRequest::nonce);
        arrays.bytes(requests, request -> request.fingerprint().bytes());
        arrays.longs(requests, request -> Micros.of(request.lease()));
        arrays.booleans(requests, ClaimRequest::takeOver);
        arrays.texts(requests, PostgresKeyTable::storedNamespace);
        arrays.texts(requests, request -> request.key().scope());
        arrays.texts(requests, request -> request.key().value());
        arrays.texts(requests, ClaimRequest::operation);
        arrays.texts(requests, PostgresKeyTable::storableTrace);
        arrays.texts(requests, request -> RetentionText.encode(request.retention()));
        try (ResultSet rows = statement.executeQuery()) {
            @Nullable Claim[] claims = new Claim[requests.size()];
            while (rows.next()) {
                int index = indexOf(requests, request -> request.key().digest(), rows);
                claims[index] = PostgresRows.claim(rows, requests.get(index));
            }
            return Arrays.asList(claims);
        }
    }

    @Override
    public List<Claim> claimJoined(Connection connection, List<ClaimRequest> requests) throws SQLException {
        try (PreparedStatement statement = PostgresStatements.prepareOften(connection, claimShared)) {
            statement.setString(1, String.valueOf(requests.get(0).lease().toMillis()));
            new PostgresArrays(connection, statement, 2, requests.size())
                    .uuids(requests, request -> request.key().digest().asUuid());
            return claim(connection, statement, 3, requests).stream()
                    .map(claim -> claim == null ? KeyTable.heldByTransaction() : claim)
                    .toList();
        }
    }

    @Override
    public void savepoint(Connection connection) throws SQLException {
        execute(connection, "SAVEPOINT semel_call");
    }

    @Override
    public void rollBackToSavepoint(Connection connection) throws SQLException {
        execute(connection, "ROLLBACK TO SAVEPOINT semel_call");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = PostgresStatements.prepareOften(connection, sql)) {
            statement.execute();
        }
    }

    @Override
    public Claim claimJoined(Connection connection, ClaimRequest request) throws SQLException {
        for (int round = 0; round < JOINED_ROUNDS; round++) {
            Claim claim = claim(connection, claimJoined, request);
            if (claim != null) {
                return claim;
            }
        }
        return KeyTable.heldByTransaction();
    }

    /** {@code null} if the key has to be claimed again. */
    private static @Nullable Claim claim(Connection connection, String function, ClaimRequest request)
            throws SQLException {
        try (PreparedStatement statement = PostgresStatements.prepareOften(connection, function)) {
            statement.setObject(1, request.key().digest().asUuid());
            statement.setObject(2, request.nonce());
            statement.setBytes(3, request.fingerprint().bytes());
            statement.setLong(4, Micros.of(request.lease()));
            statement.setBoolean(5, request.takeOver());
            statement.setString(6, storedNamespace(request));
            statement.setString(7, request.key().scope());
            statement.setString(8, request.key().value());
            statement.setString(9, request.operation());
            statement.setString(10, storableTrace(request));
            statement.setString(11, RetentionText.encode(request.retention()));
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? PostgresRows.claim(rows, request) : null;
            }
        }
    }

    @Override
    public boolean[] settle(Connection connection, List<SettleRequest> settlements) throws SQLException {
        if (settlements.size() == 1) {
            return new boolean[] {settle(connection, settleOne, settlements.get(0))};
        }
        try (PreparedStatement statement = PostgresStatements.prepareOften(connection, settle)) {
            PostgresArrays arrays = leases(connection, statement, settlements, SettleRequest::lease);
            arrays.shorts(settlements, settlement -> PostgresRows.state(settlement.outcome()));
            arrays.shorts(settlements, settlement -> settlement.outcome().status());
            arrays.shorts(settlements, settlement -> settlement.outcome().format());
            arrays.longs(
                    settlements, settlement -> Micros.of(settlement.retention().active()));
            arrays.longs(settlements, settlement -> free(settlement.retention()));
            arrays.longs(settlements, settlement -> purge(settlement.retention()));
            arrays.bytes(settlements, settlement -> StoredHeaders.encode(settlement.outcome()));
            arrays.bytes(settlements, settlement -> settlement.outcome().payload());
            return held(statement, settlements, SettleRequest::lease);
        }
    }

    @Override
    public boolean settleJoined(Connection connection, SettleRequest settlement) throws SQLException {
        return settle(connection, settleJoined, settlement);
    }

    private static boolean settle(Connection connection, String function, SettleRequest settlement)
            throws SQLException {
        Outcome outcome = settlement.outcome();
        Retention retention = settlement.retention();
        try (PreparedStatement statement = PostgresStatements.prepareOften(connection, function)) {
            statement.setObject(1, settlement.lease().digest().asUuid());
            statement.setObject(2, settlement.lease().nonce());
            statement.setLong(3, settlement.lease().token());
            statement.setShort(4, (short) PostgresRows.state(outcome));
            statement.setShort(5, (short) outcome.status());
            statement.setShort(6, (short) outcome.format());
            statement.setLong(7, Micros.of(retention.active()));
            statement.setObject(8, free(retention), Types.BIGINT);
            statement.setObject(9, purge(retention), Types.BIGINT);
            statement.setBytes(10, StoredHeaders.encode(outcome));
            statement.setBytes(11, outcome.payload());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    @Override
    public boolean[] renew(Connection connection, List<Renewal> renewals) throws SQLException {
        try (PreparedStatement statement = PostgresStatements.prepareOften(connection, renew)) {
            leases(connection, statement, renewals, Renewal::lease)
                    .longs(renewals, renewal -> Micros.of(renewal.duration()));
            return held(statement, renewals, Renewal::lease);
        }
    }

    @Override
    public boolean[] end(Connection connection, List<LeaseEnd> ends) throws SQLException {
        try (PreparedStatement statement = PostgresStatements.prepareOften(connection, mark)) {
            leases(connection, statement, ends, LeaseEnd::lease)
                    .shorts(ends, end -> end.isRelease() ? KeyRow.RELEASED : KeyRow.UNKNOWN);
            return held(statement, ends, LeaseEnd::lease);
        }
    }

    @Override
    public boolean[] recordSteps(Connection connection, List<StepResult> steps) throws SQLException {
        try (PreparedStatement statement = PostgresStatements.prepareOften(connection, step)) {
            leases(connection, statement, steps, StepResult::lease)
                    .bytes(steps, each -> StoredSteps.encode(each.name(), each.result()));
            return held(statement, steps, StepResult::lease);
        }
    }

    private static <Q> PostgresArrays leases(
            Connection connection, PreparedStatement statement, List<Q> requests, Function<Q, Lease> lease)
            throws SQLException {
        PostgresArrays arrays = new PostgresArrays(connection, statement, 1, requests.size());
        arrays.uuids(requests, request -> lease.apply(request).digest().asUuid());
        arrays.uuids(requests, request -> lease.apply(request).nonce());
        arrays.longs(requests, request -> lease.apply(request).token());
        return arrays;
    }

    private static <Q> boolean[] held(PreparedStatement statement, List<Q> requests, Function<Q, Lease> lease)
            throws SQLException {
        boolean[] held = new boolean[requests.size()];
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                held[indexOf(requests, request -> lease.apply(request).digest(), rows)] = true;
            }
        }
        return held;
    }

    private static <Q> int indexOf(List<Q> sorted, Function<Q, KeyDigest> digest, ResultSet rows) throws SQLException {
        KeyDigest wanted = KeyDigest.fromUuid(rows.getObject(1, UUID.class));
        int low = 0;
        int high = sorted.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (digest.apply(sorted.get(middle)).compareTo(wanted) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** When the key is free again, if that is not when it expires. */
    static @Nullable Long free(Retention retention) {
        return retention.leavesTombstone() ? Micros.of(retention.active().plus(retention.tombstone())) : null;
    }

    /** Until when people may look at all of the record, if that is not when the key expires. */
    static @Nullable Long purge(Retention retention) {
        return retention.audit().isZero() ? null : Micros.of(retention.active().plus(retention.audit()));
    }

    /** Nothing for the namespace that most keys are in. */
    private static @Nullable String storedNamespace(ClaimRequest request) {
        Namespace namespace = request.key().namespace();
        return namespace.equals(Namespace.DEFAULT) ? null : namespace.toString();
    }

    /** PostgreSQL keeps any text but the character 0. */
    private static @Nullable String storableTrace(ClaimRequest request) {
        return request.traceId() == null ? null : request.traceId().replace('\0', '?');
    }
}
