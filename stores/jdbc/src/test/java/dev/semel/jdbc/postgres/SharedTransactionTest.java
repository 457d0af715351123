package dev.semel.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Attempt;
import dev.semel.Call;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OperationFailedException;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.TransactionRunner;
import dev.semel.TransactionalOperation;
import dev.semel.TransactionalOperation.TransactionalWork;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.policy.TransactionalPolicy;
import dev.semel.sealing.LocalMasterKeys;
import dev.semel.sealing.Sealing;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.TransactionJoining;
import dev.semel.testkit.race.RaceTester;
import dev.semel.testservers.TestPostgres;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Calls that share a transaction end as they would alone. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedTransactionTest {

    private static final TransactionalPolicy POLICY =
            Policy.transactional("order").lease(Duration.ofSeconds(30)).build();

    private HikariDataSource pool;
    private JdbcKeyStore store;
    private Semel semel;
    private JdbcTransactions transactions;
    private TransactionalOperation<Connection, String> operation;
    private List<Call> calls;

    @BeforeAll
    void connect() {
        pool = TestPostgres.pool(TestPostgres.newDatabase(), 16);
        store = JdbcKeyStore.builder(pool).createIfMissing().build();
        semel = Semel.builder(store).maintenanceInterval(Duration.ZERO).build();
        transactions = JdbcTransactions.of(pool);
        TestPostgres.execute(
                pool,
                "CREATE TABLE orders (id text NOT NULL)",
                "CREATE TABLE stock (id text PRIMARY KEY, taken int NOT NULL)",
                "CREATE TABLE invoice (id text, UNIQUE (id) DEFERRABLE INITIALLY DEFERRED)");
    }

    @AfterAll
    void disconnect() {
        semel.close();
        store.close();
        pool.close();
    }

    @BeforeEach
    void newCalls() {
        operation = semel.operation(POLICY, OutcomeCodec.text(), transactions);
        TestPostgres.execute(pool, "TRUNCATE orders, stock, invoice");
        calls = IntStream.range(0, 5)
                .mapToObj(i -> Call.of(Key.of("merchant", i + Key.randomValue()), Fingerprint.of("body")))
                .toList();
    }

    private static String order(Attempt attempt, Connection connection) throws SQLException {
        execute(connection, "INSERT INTO orders VALUES (?)", attempt.key().value());
        return "order " + attempt.key().value();
    }

    private static void execute(Connection connection, String sql, String... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            statement.executeUpdate();
        }
    }

    private long orders() {
        return TestPostgres.number(pool, "SELECT count(*) FROM orders");
    }

    private long distinctOrders() {
        return TestPostgres.number(pool, "SELECT count(DISTINCT id) FROM orders");
    }

    /** Somebody is to be asked about an attempt that died, so it must leave its claim behind. */
    @Test
    void onlyCallsThatMayRunAgainShareATransaction() {
        assertThat(operation.canRunTogether()).isTrue();
        TransactionalPolicy held =
                Policy.transactional("held").recovery(Recovery.HOLD).build();
        assertThat(semel.operation(held, OutcomeCodec.text(), transactions).canRunTogether())
                .isFalse();
    }

    private boolean is(int number, Attempt attempt) {
        return attempt.key().equals(calls.get(number).key());
    }

    private List<Execution<String>> together(TransactionalWork<Connection, String, ?> work) {
        return operation.runTogether(calls, () -> true, work);
    }

    /** Makes the calls from this one on alone, as somebody does who was not told how they ended. */
    private void assertThatTheOthersRunAlone(int first) {
        for (Call call : calls.subList(first, calls.size())) {
            assertThat(alone(call)).isInstanceOf(Execution.Executed.class);
        }
        assertThat(orders()).isEqualTo(calls.size());
        assertThat(distinctOrders()).isEqualTo(calls.size());
    }

    private Execution<String> alone(Call call) {
        try {
            return operation.run(call, SharedTransactionTest::order);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void manyCallsAreOneCommit() {
        AtomicInteger commits = new AtomicInteger();
        operation = semel.operation(POLICY, OutcomeCodec.text(), new Transactions() {
            @Override
            void ended() {
                commits.incrementAndGet();
            }
        });

        List<Execution<String>> executions = together(SharedTransactionTest::order);

        assertThat(commits).hasValue(1);
        assertThat(executions).hasSize(5).allMatch(Execution.Executed.class::isInstance);
        assertThat(orders()).isEqualTo(5);
        for (Call call : calls) {
            assertThat(alone(call)).isInstanceOf(Execution.Replayed.class);
            assertThat(alone(call).get()).isEqualTo("order " + call.key().value());
        }
    }

    @Test
    void aFailureUndoesItsOwnCallOnly() {
        List<Execution<String>> executions = together((attempt, connection) -> {
            String order = order(attempt, connection);
            if (is(2, attempt)) {
                throw new IllegalStateException("out of stock");
            }
            return order;
        });

        assertThat(executions).hasSize(2);
        assertThat(orders()).isEqualTo(2);
        assertThatTheOthersRunAlone(2);
    }

    @Test
    void aStatementThatBreaksTheTransactionUndoesItsOwnCallOnly() {
        List<Execution<String>> executions = together((attempt, connection) -> {
            String order = order(attempt, connection);
            if (is(3, attempt)) {
                execute(connection, "INSERT INTO orders SELECT (1 / 0)::text");
            }
            return order;
        });

        assertThat(executions).hasSize(3);
        assertThatTheOthersRunAlone(3);
    }

    @Test
    void aBrokenTransactionThatTheWorkHidesCommitsNothing() {
        List<Execution<String>> executions = together((attempt, connection) -> {
            String order = order(attempt, connection);
            if (is(1, attempt)) {
                try {
                    execute(connection, "INSERT INTO orders SELECT (1 / 0)::text");
                } catch (SQLException hidden) {
                    return order;
                }
            }
            return order;
        });

        assertThat(executions).isEmpty();
        assertThat(orders()).isZero();
        assertThatTheOthersRunAlone(0);
    }

    @Test
    void aKeyThatIsInFlightElsewhereHoldsUpOnlyTheCallsBehindIt() {
        Claim held = store.claim(ClaimRequest.builder(calls.get(2).key(), "order", Fingerprint.of("other"))
                        .build())
                .toCompletableFuture()
                .join();

        List<Execution<String>> executions = together(SharedTransactionTest::order);

        assertThat(executions).hasSize(2);
        assertThat(orders()).isEqualTo(2);
        store.release(((Claim.Acquired) held).lease()).toCompletableFuture().join();
        assertThatTheOthersRunAlone(2);
    }

    @Test
    void aKeyThatAnotherTransactionHoldsIsNotWaitedFor() throws Exception {
        List<Execution<String>> before =
                operation.runTogether(calls.subList(0, 1), () -> true, SharedTransactionTest::order);
        transactions.inTransaction(connection -> {
            Claim held = joining()
                    .claim(
                            connection,
                            ClaimRequest.builder(calls.get(4).key(), "order", Fingerprint.of("other"))
                                    .build());
            assertThat(held).isInstanceOf(Claim.Acquired.class);

            List<Execution<String>> executions = together(SharedTransactionTest::order);

            assertThat(executions).hasSize(1).allMatch(Execution.Replayed.class::isInstance);
            assertThat(alone(calls.get(1))).isInstanceOf(Execution.Executed.class);
            connection.rollback();
            return null;
        });

        assertThat(before).hasSize(1);
        assertThatTheOthersRunAlone(2);
    }

    @SuppressWarnings("unchecked")
    private TransactionJoining<Connection> joining() {
        return KeyStore.capability(store, TransactionJoining.class).orElseThrow();
    }

    @Test
    void aCommitWhoseAnswerWasLostIsFoundByTheNextCall() {
        operation = semel.operation(POLICY, OutcomeCodec.text(), new Transactions() {
            @Override
            void ended() throws SQLException {
                throw new SQLException("connection reset while waiting for the answer of the commit", "08006");
            }
        });

        assertThat(together(SharedTransactionTest::order)).isEmpty();

        operation = semel.operation(POLICY, OutcomeCodec.text(), transactions);
        assertThat(together(SharedTransactionTest::order)).hasSize(5).allMatch(Execution.Replayed.class::isInstance);
        assertThat(orders()).isEqualTo(5);
    }

    @Test
    void aCommitThatOneCallSpoilsIsNoFailureOfTheOthers() {
        TransactionalWork<Connection, String, SQLException> invoicing = (attempt, connection) -> {
            execute(
                    connection,
                    "INSERT INTO invoice VALUES (?)",
                    is(3, attempt) ? "same" : attempt.key().value());
            execute(connection, "INSERT INTO invoice SELECT 'same' WHERE ?", is(3, attempt));
            return order(attempt, connection);
        };

        assertThat(together(invoicing)).isEmpty();

        assertThat(orders()).isZero();
        for (int i = 0; i < 5; i++) {
            int number = i;
            CompletableFuture<Execution<String>> alone =
                    CompletableFuture.supplyAsync(() -> unchecked(() -> operation.run(calls.get(number), invoicing)));
            assertThat(alone.handle((ended, failure) -> failure == null).join()).isEqualTo(number != 3);
        }
        assertThat(orders()).isEqualTo(4);
    }

    private static void execute(Connection connection, String sql, boolean parameter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setBoolean(1, parameter);
            statement.executeUpdate();
        }
    }

    private interface Work<R> {
        R run() throws Exception;
    }

    private static <R> R unchecked(Work<R> work) {
        try {
            return work.run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aLapsedKeyIsTakenOverAlone() {
        store.claim(ClaimRequest.builder(calls.get(1).key(), "order", fingerprintOf(calls.get(1)))
                        .lease(Duration.ofSeconds(1))
                        .build())
                .toCompletableFuture()
                .join();
        TestPostgres.execute(pool, "UPDATE semel_key SET lease_until = clock_timestamp() WHERE state = 0");

        assertThat(together(SharedTransactionTest::order)).hasSize(1);

        assertThatTheOthersRunAlone(1);
        assertThat(record(calls.get(1)).attempt()).isEqualTo(2);
    }

    private static Fingerprint fingerprintOf(Call call) {
        return call.fingerprint().forOperation(POLICY.identity());
    }

    private KeyRecord record(Call call) {
        return store.find(call.key().digest()).toCompletableFuture().join().orElseThrow();
    }

    @Test
    void stopsWhereItIsAskedToAndKeepsWhatIsDone() {
        AtomicInteger ran = new AtomicInteger();

        List<Execution<String>> executions =
                operation.runTogether(calls, () -> ran.get() < 3, (attempt, connection) -> {
                    ran.incrementAndGet();
                    return order(attempt, connection);
                });

        assertThat(executions).hasSize(3);
        assertThatTheOthersRunAlone(3);
    }

    @Test
    void aKeyThatIsSettledAsFailedIsAnsweredAlone() {
        store.settle(
                        ((Claim.Acquired) store.claim(ClaimRequest.builder(
                                                        calls.get(1).key(), "order", fingerprintOf(calls.get(1)))
                                                .build())
                                        .toCompletableFuture()
                                        .join())
                                .lease(),
                        new OperationFailedException("Declined", "declined").toOutcome(),
                        POLICY.retention())
                .toCompletableFuture()
                .join();

        assertThat(together(SharedTransactionTest::order)).hasSize(1);

        assertThat(alone(calls.get(1))).isInstanceOf(Execution.Replayed.class);
        assertThat(orders()).isOne();
    }

    /** Alone, such work has no trouble: the company must not be its failure. */
    @Test
    void workThatRecordsStepsIsLeftAlone() throws Exception {
        TransactionalWork<Connection, String, Exception> work = (attempt, connection) -> {
            attempt.step("charge", Codec.text(), () -> "charged");
            return order(attempt, connection);
        };

        assertThat(together(work)).isEmpty();

        for (Call call : calls) {
            assertThat(operation.run(call, work)).isInstanceOf(Execution.Executed.class);
        }
        assertThat(orders()).isEqualTo(5);
    }

    @Test
    void transactionsThatLockTheSameRowsInAnotherOrderBothEndWell() throws Exception {
        TestPostgres.execute(pool, "INSERT INTO stock VALUES ('a', 0), ('b', 0)");
        CyclicBarrier firstLocksTaken = new CyclicBarrier(2);
        List<Call> other = calls.subList(2, 4);
        calls = calls.subList(0, 2);
        List<List<Call>> both = List.of(calls, other);

        List<List<Execution<String>>> executions = RaceTester.race(
                2,
                i -> operation.runTogether(both.get(i), () -> true, (attempt, connection) -> {
                    boolean first = attempt.key().equals(both.get(i).get(0).key());
                    execute(
                            connection,
                            "UPDATE stock SET taken = taken + 1 WHERE id = ?",
                            first == (i == 0) ? "a" : "b");
                    if (first) {
                        firstLocksTaken.await(30, TimeUnit.SECONDS);
                    }
                    return order(attempt, connection);
                }));

        assertThat(executions).anyMatch(ended -> ended.size() == 2).anyMatch(ended -> ended.size() == 1);
        assertThat(orders()).isEqualTo(3);
        assertThat(TestPostgres.number(pool, "SELECT sum(taken) FROM stock")).isEqualTo(3);
    }

    @Test
    void theSameKeysInAnyOrderHaveOneEffectEach() throws Exception {
        List<Call> many = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            many.add(Call.of(Key.of("merchant", Key.randomValue()), Fingerprint.of("body")));
        }

        RaceTester.race(4, i -> {
            List<Call> left = new ArrayList<>(many);
            Collections.shuffle(left, new Random(i));
            while (!left.isEmpty()) {
                List<Call> some = left.subList(0, Math.min(left.size(), 7));
                int settled = operation
                        .runTogether(some, () -> true, SharedTransactionTest::order)
                        .size();
                if (settled == 0 && alone(left.get(0)) instanceof Execution.InFlight) {
                    Collections.rotate(left, 1);
                } else {
                    left.subList(0, Math.max(1, settled)).clear();
                }
            }
            return true;
        });

        assertThat(orders()).isEqualTo(40);
        assertThat(distinctOrders()).isEqualTo(40);
    }

    /** The database ends the transaction of a process that stands still, and with that its claims. */
    @Test
    void aProcessThatStandsStillLosesItsKeysAfterALease() {
        TransactionalPolicy brief =
                Policy.transactional("brief order").lease(Duration.ofSeconds(1)).build();
        TransactionalOperation<Connection, String> stalled = semel.operation(brief, OutcomeCodec.text(), transactions);

        List<Execution<String>> executions = stalled.runTogether(calls, () -> true, (attempt, connection) -> {
            String order = order(attempt, connection);
            if (is(1, attempt)) {
                await().until(() -> calls.stream()
                        .noneMatch(call -> unchecked(() -> stalled.run(call, SharedTransactionTest::order))
                                instanceof Execution.InFlight));
            }
            return order;
        });

        assertThat(executions).isEmpty();
        assertThat(orders()).isEqualTo(5);
        assertThat(distinctOrders()).isEqualTo(5);
    }

    @Test
    void theTimeoutOfTheTransactionEndsWithIt() {
        operation.runTogether(calls, () -> true, (attempt, connection) -> {
            assertThat(setting(connection)).isEqualTo("30s");
            return "";
        });

        try (Connection connection = pool.getConnection()) {
            assertThat(setting(connection)).isEqualTo("0");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String setting(Connection connection) throws SQLException {
        try (PreparedStatement show = connection.prepareStatement("SHOW idle_in_transaction_session_timeout");
                var row = show.executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void aSealedStoreSealsWhatItSettlesTogether() {
        KeyStore sealed = Sealing.encrypting(LocalMasterKeys.of(Map.of("one", new byte[32])))
                .around(store);
        try (Semel sealing =
                Semel.builder(sealed).maintenanceInterval(Duration.ZERO).build()) {
            operation = sealing.operation(POLICY, OutcomeCodec.text(), transactions);

            assertThat(together(SharedTransactionTest::order)).hasSize(5);

            assertThat(alone(calls.get(0)).get())
                    .isEqualTo("order " + calls.get(0).key().value());
            byte[] payload = record(calls.get(0)).outcome().payload();
            assertThat(new String(payload, StandardCharsets.ISO_8859_1)).doesNotContain("order");
            assertThat(together(SharedTransactionTest::order))
                    .hasSize(5)
                    .allMatch(Execution.Replayed.class::isInstance);
        }
    }

    @Test
    void transactionsThatHoldWritesBackAreNotShared() {
        TransactionRunner<Connection> holdingBack = new TransactionRunner<>() {
            @Override
            public <R> R inTransaction(Work<Connection, R> work) throws Exception {
                return transactions.inTransaction(work);
            }
        };

        assertThat(KeyStore.capability(store, TransactionJoining.Shared.class)).isPresent();
        assertThat(operation.canRunTogether()).isTrue();
        assertThat(semel.operation(POLICY, OutcomeCodec.text(), holdingBack).canRunTogether())
                .isFalse();
    }

    /** Transactions with something that happens after the commit. */
    private abstract class Transactions implements TransactionRunner<Connection> {

        abstract void ended() throws SQLException;

        @Override
        public <R> R inTransaction(Work<Connection, R> work) throws Exception {
            R result = transactions.inTransaction(work);
            ended();
            return result;
        }

        @Override
        public boolean allowsSavepoints() {
            return true;
        }
    }
}
