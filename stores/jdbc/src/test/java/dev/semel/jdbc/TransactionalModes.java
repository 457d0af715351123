package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Call;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.TransactionRunner;
import dev.semel.TransactionalOperation.TransactionalWork;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.policy.TransactionalPolicy;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.TransactionJoining;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.testservers.TestPostgres;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Business writes and the settle in one commit, through the engine. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class TransactionalModes {

    private enum Modes {
        TRANSACTIONAL(Policy.transactional("order").build()),
        SINGLE_TRANSACTION(Policy.singleTransaction("quick order").build());

        private final TransactionalPolicy policy;

        Modes(TransactionalPolicy policy) {
            this.policy = policy;
        }
    }

    private static final ExternalPolicy PAYMENT =
            Policy.external("payment").recovery(Recovery.HOLD).build();

    private HikariDataSource pool;
    private JdbcKeyStore store;
    private Semel semel;
    private JdbcTransactions transactions;
    private Key key;

    /** A pool of connections to a new database. */
    protected abstract HikariDataSource newDatabase();

    /** Lets the lease of a key end now, as if its owner had been silent for that long. */
    protected abstract void lapse(Connection connection, Key key) throws SQLException;

    @BeforeAll
    void connect() {
        pool = newDatabase();
        store = JdbcKeyStore.builder(pool).createIfMissing().build();
        semel = Semel.builder(store).maintenanceInterval(Duration.ZERO).build();
        transactions = JdbcTransactions.of(pool);
        TestPostgres.execute(pool, "CREATE TABLE orders (id varchar(200) NOT NULL)");
    }

    @AfterAll
    void disconnect() {
        semel.close();
        store.close();
        pool.close();
    }

    @BeforeEach
    void newKey() {
        key = Key.of("merchant", Key.randomValue());
    }

    private String order(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
            insert.setString(1, key.value());
            insert.executeUpdate();
        }
        return "order " + key.value();
    }

    private int orders() throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement count = connection.prepareStatement("SELECT count(*) FROM orders WHERE id = ?")) {
            count.setString(1, key.value());
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anOutcomeThatIsKeptBrieflyIsSettledSo(Modes mode) throws Exception {
        TransactionalPolicy policy = mode.policy.toBuilder()
                .keepBriefly(outcome -> true, Duration.ofMinutes(5))
                .build();
        try (Semel brief =
                Semel.builder(store).maintenanceInterval(Duration.ZERO).build()) {
            brief.operation(policy, OutcomeCodec.text(), transactions)
                    .run(key, Fingerprint.of("body"), (attempt, connection) -> order(connection));
        }

        KeyRecord found = store.find(key.digest()).toCompletableFuture().join().orElseThrow();
        assertThat(Duration.between(found.settledAt(), found.expiresAt()))
                .isCloseTo(Duration.ofMinutes(5), Duration.ofSeconds(1));
    }

    @Test
    void commitsAlthoughAHeartbeatChangedTheRowAfterTheTransactionHadLooked() throws SQLException {
        TransactionalPolicy policy =
                Policy.transactional("long order").lease(Duration.ofSeconds(1)).build();

        Execution<String> execution = semel.operation(policy, OutcomeCodec.text(), transactions)
                .run(key, Fingerprint.of("body"), (attempt, connection) -> {
                    try (PreparedStatement look = connection.prepareStatement("SELECT count(*) FROM orders")) {
                        look.executeQuery().close();
                    }
                    Instant before = leaseUntil();
                    Awaitility.await().until(() -> leaseUntil().isAfter(before));
                    return order(connection);
                });

        assertThat(execution).isInstanceOf(Execution.Executed.class);
        assertThat(orders()).isOne();
    }

    private Instant leaseUntil() {
        return semel.find(key).toCompletableFuture().join().orElseThrow().leaseUntil();
    }

    @ParameterizedTest
    @EnumSource
    void commitsTheOrderAndItsOutcomeTogether(Modes mode) throws SQLException {
        Execution<String> first = semel.operation(mode.policy, OutcomeCodec.text(), transactions)
                .run(key, Fingerprint.of("body"), (attempt, connection) -> order(connection));
        Execution<String> retry = semel.operation(mode.policy, OutcomeCodec.text(), transactions)
                .run(key, Fingerprint.of("body"), (attempt, connection) -> order(connection));

        assertThat(first).isInstanceOf(Execution.Executed.class);
        assertThat(retry).isInstanceOf(Execution.Replayed.class);
        assertThat(retry.get()).isEqualTo(first.get());
        assertThat(orders()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void aRollbackLeavesNoOutcomeBehindAndTheRetryRuns(Modes mode) throws SQLException {
        assertThatThrownBy(() -> semel.operation(mode.policy, OutcomeCodec.text(), transactions)
                        .run(key, Fingerprint.of("body"), (attempt, connection) -> {
                            order(connection);
                            throw new IllegalStateException("out of stock");
                        }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("out of stock");
        assertThat(orders()).isZero();

        assertThat(semel.operation(mode.policy, OutcomeCodec.text(), transactions)
                        .run(key, Fingerprint.of("body"), (attempt, connection) -> order(connection)))
                .isInstanceOf(Execution.Executed.class);
        assertThat(orders()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void anErrorRollsBackLikeAnyFailure(Modes mode) throws SQLException {
        assertThatThrownBy(() -> semel.operation(mode.policy, OutcomeCodec.text(), transactions)
                        .run(key, Fingerprint.of("body"), (attempt, connection) -> {
                            order(connection);
                            throw new OutOfMemoryError("in the operation");
                        }))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(semel.operation(mode.policy, OutcomeCodec.text(), transactions)
                        .run(key, Fingerprint.of("body"), (attempt, connection) -> order(connection)))
                .isInstanceOf(Execution.Executed.class);
        assertThat(orders()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void aDuplicateGetsAnImmediateAnswerWhileTheTransactionRuns(Modes mode) throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Execution<String>> first =
                CompletableFuture.supplyAsync(() -> semel.operation(mode.policy, OutcomeCodec.text(), transactions)
                        .run(key, Fingerprint.of("body"), (attempt, connection) -> {
                            String order = unchecked(connection);
                            inside.countDown();
                            await(goOn);
                            return order;
                        }));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();

        Execution<String> duplicate = semel.operation(mode.policy, OutcomeCodec.text(), transactions)
                .run(key, Fingerprint.of("body"), (attempt, connection) -> order(connection));

        assertThat(duplicate).isInstanceOf(Execution.InFlight.class);
        assertThat(first).isNotDone();
        goOn.countDown();
        assertThat(first.join()).isInstanceOf(Execution.Executed.class);
        assertThat(orders()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void aCommitWhoseAnswerWasLostIsFoundOut(Modes mode) throws SQLException {
        TransactionRunner<Connection> losing = new TransactionRunner<>() {
            @Override
            public <R> R inTransaction(Work<Connection, R> work) throws Exception {
                transactions.inTransaction(work);
                throw new SQLException("connection reset while waiting for the answer of the commit", "08006");
            }
        };

        Execution<String> execution = semel.operation(mode.policy, OutcomeCodec.text(), losing)
                .run(key, Fingerprint.of("body"), (attempt, connection) -> order(connection));

        assertThat(execution).isInstanceOf(Execution.Executed.class);
        assertThat(orders()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void aCommitThatFailedIsFoundOutTooAndTheRetryRuns(Modes mode) throws SQLException {
        assertThatThrownBy(() -> semel.operation(mode.policy, OutcomeCodec.text(), failing())
                        .run(key, Fingerprint.of("body"), (attempt, connection) -> order(connection)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("before the commit");
        assertThat(orders()).isZero();

        assertThat(semel.operation(mode.policy, OutcomeCodec.text(), transactions)
                        .run(key, Fingerprint.of("body"), (attempt, connection) -> order(connection)))
                .isInstanceOf(Execution.Executed.class);
        assertThat(orders()).isOne();
    }

    /** Runs the work, and fails before the commit. */
    private TransactionRunner<Connection> failing() {
        return new TransactionRunner<>() {
            @Override
            public <R> R inTransaction(Work<Connection, R> work) throws Exception {
                return transactions.inTransaction(connection -> {
                    work.run(connection);
                    throw new SQLException("server closed the connection before the commit", "08006");
                });
            }
        };
    }

    /** A step has a commit of its own, and what it did outside of the database is not rolled back. */
    @Test
    void aCommitThatFailedDoesNotForgetTheStepsBeforeIt() throws Exception {
        TransactionalPolicy policy = Modes.TRANSACTIONAL.policy;
        AtomicInteger charges = new AtomicInteger();
        TransactionalWork<Connection, String, Exception> checkout = (attempt, connection) -> {
            attempt.step("charge", Codec.text(), () -> "charge " + charges.incrementAndGet());
            return order(connection);
        };
        assertThatThrownBy(() -> semel.operation(policy, OutcomeCodec.text(), failing())
                        .run(key, Fingerprint.of("body"), checkout))
                .hasMessageContaining("before the commit");
        lapse();

        assertThat(semel.operation(policy, OutcomeCodec.text(), transactions)
                        .run(key, Fingerprint.of("body"), checkout))
                .isInstanceOf(Execution.Executed.class);

        assertThat(charges).hasValue(1);
        assertThat(orders()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void anOutcomeThatTheStoreCannotKeepIsSettledWithoutItsPayload(Modes mode) throws SQLException {
        KeyStore small = (KeyStore) Proxy.newProxyInstance(
                KeyStore.class.getClassLoader(),
                new Class<?>[] {KeyStore.class, TransactionJoining.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("settle") && ((Outcome) arguments[2]).payload() != null) {
                        throw new PayloadTooLargeException(((Outcome) arguments[2]).requirePayload().length, 0);
                    }
                    return method.invoke(store, arguments);
                });
        try (Semel onSmall =
                Semel.builder(small).maintenanceInterval(Duration.ZERO).build()) {
            Execution<String> first = onSmall.operation(mode.policy, OutcomeCodec.text(), transactions)
                    .run(key, Fingerprint.of("body"), (attempt, connection) -> order(connection));

            assertThat(first).isInstanceOf(Execution.Executed.class);
            assertThat(first.get()).isEqualTo("order " + key.value());
            assertThat(onSmall.operation(mode.policy, OutcomeCodec.text(), transactions)
                            .run(key, Fingerprint.of("body"), (attempt, connection) -> order(connection)))
                    .isInstanceOfSatisfying(
                            Execution.Replayed.class,
                            replayed -> assertThat(replayed.outcome().payload()).isNull());
            assertThat(orders()).isOne();
        }
    }

    @Test
    void theCommitOfAnAttemptThatLostItsKeyFails() throws SQLException {
        TransactionalPolicy policy =
                Policy.transactional("slow order").lease(Duration.ofSeconds(60)).build();
        AtomicReference<Execution<String>> successor = new AtomicReference<>();

        Execution<String> zombie = semel.operation(policy, OutcomeCodec.text(), transactions)
                .run(key, Fingerprint.of("body"), (attempt, connection) -> {
                    String order = order(connection);
                    lapse();
                    successor.set(semel.operation(policy, OutcomeCodec.text(), transactions)
                            .run(key, Fingerprint.of("body"), (second, other) -> order(other)));
                    return order;
                });

        assertThat(successor.get())
                .isInstanceOfSatisfying(
                        Execution.Executed.class,
                        executed -> assertThat(executed.attempt()).isEqualTo(2));
        assertThat(zombie).isInstanceOf(Execution.LeaseLost.class);
        assertThat(orders()).isOne();
    }

    private void lapse() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            lapse(connection, key);
        }
    }

    @Test
    void aCrashBeforeTheCommitIsRepairedByTheNextRetry() throws SQLException {
        TransactionalPolicy policy = Modes.TRANSACTIONAL.policy;
        Claim claim = store.claim(ClaimRequest.builder(
                                key, "order", Fingerprint.of("body").forOperation("order"))
                        .lease(Duration.ofMillis(1))
                        .takeOver(true)
                        .build())
                .toCompletableFuture()
                .join();
        Lease dead = ((Claim.Acquired) claim).lease();

        Awaitility.await()
                .untilAsserted(() -> assertThat(semel.operation(policy, OutcomeCodec.text(), transactions)
                                .run(key, Fingerprint.of("body"), (attempt, connection) -> order(connection)))
                        .isNotInstanceOf(Execution.InFlight.class));

        assertThat(orders()).isOne();
        assertThat(store.settle(dead, Outcome.succeeded().build(), policy.retention())
                        .toCompletableFuture()
                        .join())
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void anOutcomeThatMeansRefusedIsRolledBack(Modes mode) throws SQLException {
        TransactionalPolicy refusing =
                mode.policy.toBuilder().refused(outcome -> true).build();

        Execution<String> execution = semel.operation(refusing, OutcomeCodec.text(), transactions)
                .run(key, Fingerprint.of("body"), (attempt, connection) -> order(connection));

        assertThat(execution)
                .isInstanceOfSatisfying(
                        Execution.Executed.class,
                        executed -> assertThat(executed.durability()).isEqualTo(Execution.Durability.NOT_EXECUTED));
        assertThat(orders()).isZero();
        assertThat(semel.operation(mode.policy, OutcomeCodec.text(), transactions)
                        .run(key, Fingerprint.of("body"), (attempt, connection) -> order(connection)))
                .isInstanceOf(Execution.Executed.class);
    }

    private String unchecked(Connection connection) {
        try {
            return order(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The pool has no connection free, or the database is down: that is not what the operation around it ended with. */
    @ParameterizedTest
    @EnumSource
    void aNestedTransactionThatCannotBeginIsNotTheOutcomeOfTheOperationAroundIt(Modes mode) throws SQLException {
        TransactionRunner<Connection> exhausted = new TransactionRunner<>() {
            @Override
            public <R> R inTransaction(Work<Connection, R> work) throws Exception {
                throw new SQLException("no connection is free");
            }
        };
        Call around = Call.of(Key.of("merchant", Key.randomValue()), Fingerprint.of("body"));

        assertThatThrownBy(() -> semel.operation(PAYMENT, OutcomeCodec.text())
                        .run(
                                around,
                                attempt -> semel.operation(mode.policy, OutcomeCodec.text(), exhausted)
                                        .run(key, Fingerprint.of("body"), (nested, connection) -> order(connection))
                                        .get()))
                .hasMessageContaining("could not be begun")
                .hasRootCauseMessage("no connection is free");

        assertThat(semel.operation(PAYMENT, OutcomeCodec.text()).run(around, attempt -> "not run"))
                .isInstanceOf(Execution.Unknown.class);
        assertThat(semel.operation(mode.policy, OutcomeCodec.text(), transactions)
                        .run(key, Fingerprint.of("body"), (nested, connection) -> order(connection))
                        .get())
                .startsWith("order");
    }

    /** The database went away while the nested operation ran: that is not what the operation around it ended with. */
    @ParameterizedTest
    @EnumSource
    void aNestedTransactionThatLosesItsDatabaseIsNotTheOutcomeOfTheOperationAroundIt(Modes mode) throws SQLException {
        Call around = Call.of(Key.of("merchant", Key.randomValue()), Fingerprint.of("body"));

        assertThatThrownBy(() -> semel.operation(PAYMENT, OutcomeCodec.text()).run(around, attempt -> {
                    try {
                        return semel.operation(mode.policy, OutcomeCodec.text(), transactions)
                                .run(key, Fingerprint.of("body"), (nested, connection) -> {
                                    connection.abort(Runnable::run);
                                    return order(connection);
                                })
                                .get();
                    } catch (Exception e) {
                        throw new IllegalStateException("no order", e);
                    }
                }))
                .hasMessage("no order")
                .hasCauseInstanceOf(SQLException.class);

        assertThat(semel.operation(PAYMENT, OutcomeCodec.text()).run(around, attempt -> "not run"))
                .isInstanceOf(Execution.Unknown.class);
        assertThat(semel.operation(mode.policy, OutcomeCodec.text(), transactions)
                        .run(key, Fingerprint.of("body"), (nested, connection) -> order(connection))
                        .get())
                .startsWith("order");
    }

    /** What the database refuses, it would refuse again. */
    @ParameterizedTest
    @EnumSource
    void aNestedTransactionWhoseWriteIsRefusedIsTheOutcomeOfAnOperationThatPassesItOn(Modes mode) {
        Call around = Call.of(Key.of("merchant", Key.randomValue()), Fingerprint.of("body"));

        assertThatThrownBy(() -> semel.operation(PAYMENT, OutcomeCodec.text())
                        .run(
                                around,
                                attempt -> semel.operation(mode.policy, OutcomeCodec.text(), transactions)
                                        .run(key, Fingerprint.of("body"), (nested, connection) -> {
                                            connection
                                                    .createStatement()
                                                    .execute("INSERT INTO no_such_table VALUES (1)");
                                            return "order";
                                        })
                                        .get()))
                .isInstanceOf(SQLException.class);

        assertThat(semel.operation(PAYMENT, OutcomeCodec.text()).run(around, attempt -> "not run"))
                .isInstanceOf(Execution.Replayed.class);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
