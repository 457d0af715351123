package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.TransactionRunner;
import dev.semel.TransactionalOperation;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.TransactionJoining;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A row that somebody holds costs the other keys nothing. */
@Timeout(120)
public abstract class HeldRows {

    private static final int OTHERS = 50;

    /** Long enough for a database that a busy machine stalls for seconds, and shorter than a row is held here. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final Duration HELD = LEASE.plusSeconds(3);
    private static final ExternalPolicy POLICY =
            Policy.external("charge").lease(LEASE).recovery(Recovery.RE_EXECUTE).build();

    private final Map<Key, AtomicInteger> runs = new ConcurrentHashMap<>();
    private final CompletableFuture<String> done = new CompletableFuture<>();
    private HikariDataSource pool;
    private JdbcKeyStore store;
    private JdbcKeyStore otherStore;
    private Semel node;
    private Semel otherNode;

    protected abstract HikariDataSource newDatabase();

    /** A statement that locks the row of a digest. */
    protected abstract PreparedStatement lock(Connection connection, Key key) throws SQLException;

    @BeforeEach
    void start() {
        pool = newDatabase();
        store = JdbcKeyStore.builder(pool).createIfMissing().build();
        otherStore = JdbcKeyStore.builder(pool).build();
        node = Semel.builder(store).maintenanceInterval(Duration.ZERO).build();
        otherNode = Semel.builder(otherStore).maintenanceInterval(Duration.ZERO).build();
    }

    @AfterEach
    void stop() {
        done.complete("done");
        node.close();
        otherNode.close();
        store.close();
        otherStore.close();
        pool.close();
    }

    @Test
    void noLeaseLapsesWhileAnOutsiderHoldsARow() throws Exception {
        outsiderHolds(1);
    }

    @Test
    void noLeaseLapsesWhileAnOutsiderHoldsManyRows() throws Exception {
        outsiderHolds(25);
    }

    private void outsiderHolds(int rows) throws Exception {
        List<Key> held = keys("held", rows);
        List<Key> others = keys("other", OTHERS);
        List<CompletableFuture<Execution<String>>> running = new ArrayList<>();
        held.forEach(key -> running.add(run(node, key)));
        others.forEach(key -> running.add(run(node, key)));
        awaitRuns(rows + OTHERS);

        try (Connection outsider = pool.getConnection()) {
            outsider.setAutoCommit(false);
            for (Key key : held) {
                try (PreparedStatement lock = lock(outsider, key);
                        ResultSet row = lock.executeQuery()) {
                    assertThat(row.next()).isTrue();
                }
            }
            askAgain(others, HELD);
            outsider.rollback();
        }
        done.complete("done");

        assertThat(others).allSatisfy(key -> assertThat(runs.get(key)).hasValue(1));
        for (int i = rows; i < running.size(); i++) {
            assertThat(running.get(i).get(30, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            Execution.Executed.class,
                            ran -> assertThat(ran.isStored()).isTrue());
        }
    }

    @Test
    void noLeaseLapsesWhileATransactionTakesLongToCommit() throws Exception {
        List<Key> others = keys("other", OTHERS);
        List<CompletableFuture<Execution<String>>> running =
                others.stream().map(key -> run(node, key)).toList();
        awaitRuns(OTHERS);
        JdbcTransactions transactions = JdbcTransactions.of(pool);
        TransactionRunner<Connection> slow = new TransactionRunner<>() {
            @Override
            public <R> R inTransaction(Work<Connection, R> work) throws Exception {
                return transactions.inTransaction(connection -> {
                    R result = work.run(connection);
                    TimeUnit.MILLISECONDS.sleep(HELD.toMillis());
                    return result;
                });
            }
        };
        TransactionalOperation<Connection, String> order =
                node.operation(Policy.transactional("order").lease(LEASE).build(), OutcomeCodec.text(), slow);

        CompletableFuture<Execution<String>> ordered = CompletableFuture.supplyAsync(
                () -> order.run(Key.of("tenant", "order"), Fingerprint.of("body"), (attempt, connection) -> "ordered"));
        while (!ordered.isDone()) {
            askAgain(others, Duration.ofMillis(300));
        }
        done.complete("done");

        assertThat(ordered.join()).isInstanceOf(Execution.Executed.class);
        for (CompletableFuture<Execution<String>> each : running) {
            assertThat(each.get(30, TimeUnit.SECONDS)).isInstanceOf(Execution.Executed.class);
        }
        assertThat(others).allSatisfy(key -> assertThat(runs.get(key)).hasValue(1));
    }

    @Test
    @SuppressWarnings("unchecked")
    void noClaimWaitsForAnUncommittedClaimOfAnotherKey() throws Exception {
        Duration time = Duration.ofSeconds(3);
        claims(Duration.ofSeconds(2), null);
        List<Long> alone = claims(time, null);
        Key key = Key.of("tenant", "joined");
        List<Long> beside;
        try (Connection transaction = pool.getConnection()) {
            transaction.setAutoCommit(false);
            assertThat(((TransactionJoining<Connection>) store).claim(transaction, request(key)))
                    .isInstanceOf(Claim.Acquired.class);
            beside = claims(time, key);
            transaction.rollback();
        }
        System.out.printf(
                "%s: %d claims alone, p99 %d us, longest %d us; %d beside a held key, p99 %d us, longest %d us%n",
                getClass().getSimpleName(),
                alone.size(),
                p99(alone),
                alone.get(alone.size() - 1),
                beside.size(),
                p99(beside),
                beside.get(beside.size() - 1));

        assertThat(beside.get(beside.size() - 1)).isLessThan(time.toMillis() * 1_000 / 2);
        assertThat(beside.size()).isGreaterThan(alone.size() / 20);
    }

    /** How long claims of new keys take, in microseconds and ascending, while a held key is claimed all the time too. */
    private List<Long> claims(Duration time, Key held) {
        List<Long> took = Collections.synchronizedList(new ArrayList<>());
        long end = System.nanoTime() + time.toNanos();
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int caller = 0; caller < 8; caller++) {
            callers.add(CompletableFuture.runAsync(
                    () -> {
                        while (System.nanoTime() - end < 0) {
                            long begun = System.nanoTime();
                            CompletableFuture<Claim> claim = store.claim(request(Key.of("tenant", Key.randomValue())))
                                    .toCompletableFuture();
                            if (held != null) {
                                store.claim(request(held));
                            }
                            assertThat(claim.join()).isInstanceOf(Claim.Acquired.class);
                            took.add((System.nanoTime() - begun) / 1_000);
                        }
                    },
                    task -> new Thread(task).start()));
        }
        callers.forEach(CompletableFuture::join);
        Collections.sort(took);
        return took;
    }

    private static long p99(List<Long> sorted) {
        return sorted.get(sorted.size() * 99 / 100);
    }

    private static List<Key> keys(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Key.of("tenant", prefix + "-" + i))
                .toList();
    }

    private CompletableFuture<Execution<String>> run(Semel semel, Key key) {
        Call call = Call.of(key, Fingerprint.of("body"));
        return semel.operation(POLICY, OutcomeCodec.text())
                .runAsync(call, attempt -> {
                    runs.computeIfAbsent(key, first -> new AtomicInteger()).incrementAndGet();
                    return done;
                })
                .toCompletableFuture();
    }

    private void awaitRuns(int count) throws InterruptedException {
        while (runs.size() < count) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** Has another node retry the operations, which runs those whose leases have lapsed. */
    private void askAgain(List<Key> keys, Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            keys.forEach(key -> run(otherNode, key));
            TimeUnit.MILLISECONDS.sleep(300);
        }
    }

    private static ClaimRequest request(Key key) {
        return ClaimRequest.builder(key, "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(10))
                .build();
    }
}
