package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Codec;
import dev.semel.TransactionRunner;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.messaging.DeadLetter;
import dev.semel.policy.Policy;
import dev.semel.testservers.TestPostgres;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that were polled together share a transaction, and end as they would alone. */
class SharedTransactionsTest {

    private static final int RECORDS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AtomicInteger transactions = new AtomicInteger();
    private HikariDataSource pool;
    private JdbcKeyStore store;
    private Ledger ledger;
    private Group group;

    @BeforeEach
    void start() throws Exception {
        pool = TestPostgres.pool(TestPostgres.newDatabase(), 8);
        store = JdbcKeyStore.builder(pool).createIfMissing().build();
        ledger = Ledger.create(pool);
        group = new Group(store, 1);
    }

    @AfterEach
    void close() throws Exception {
        group.close();
        store.close();
        pool.close();
    }

    private void send(List<String> keys) throws Exception {
        List<Future<?>> sent = new ArrayList<>();
        for (String key : keys) {
            sent.add(group.send(0, null, key, Map.of(KeyExtractor.HEADER, key)));
        }
        for (Future<?> each : sent) {
            each.get();
        }
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(String::valueOf).toList();
    }

    private IdempotentConsumer.Builder<String, String> member() {
        return group.member(Policy.transactional("ship").build()).key(KeyExtractor.header(KeyExtractor.HEADER));
    }

    private static void add(ConsumerRecord<String, String> record, Connection connection) throws SQLException {
        Ledger.add(connection, record.value(), record);
    }

    private void awaitCommitted(int records) {
        await().atMost(PATIENCE).until(() -> group.committed(0) == records);
    }

    private void assertOneEffectEach(int keys) {
        assertThat(ledger.effects()).isEqualTo(keys);
        assertThat(ledger.distinctEffects()).isEqualTo(keys);
        assertThat(ledger.outOfOrder()).isEmpty();
    }

    /** Counts how many transactions were begun. */
    private TransactionRunner<Connection> counted() {
        return new TransactionRunner<>() {
            @Override
            public <R> R inTransaction(Work<Connection, R> work) throws Exception {
                transactions.incrementAndGet();
                return JdbcTransactions.of(pool).inTransaction(work);
            }

            @Override
            public boolean allowsSavepoints() {
                return true;
            }
        };
    }

    @Test
    void manyRecordsAreOneCommit() throws Exception {
        send(numbers(RECORDS));

        group.start(member().handleIn(counted(), (record, attempt, connection) -> add(record, connection)));

        awaitCommitted(RECORDS);
        assertOneEffectEach(RECORDS);
        assertThat(transactions).hasValueLessThan(RECORDS / 3);
    }

    @Test
    void eachRecordHasItsOwnTransactionIfOnlyOneMayBeInFlight() throws Exception {
        send(numbers(10));

        group.start(member().inFlight(1).handleIn(counted(), (record, attempt, connection) -> add(record, connection)));

        awaitCommitted(10);
        assertThat(transactions).hasValue(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"throws", "breaks the transaction"})
    void aRecordThatFailsIsDeadAloneAndItsNeighboursAreNot(String how) throws Exception {
        send(numbers(RECORDS));

        group.start(member().maxAttempts(1).handleIn(counted(), (record, attempt, connection) -> {
            add(record, connection);
            if (Integer.parseInt(record.value()) % 10 == 7) {
                fail(how, connection);
            }
        }));

        awaitCommitted(RECORDS);
        assertOneEffectEach(RECORDS - RECORDS / 10);
        assertThat(group.dead).hasSize(RECORDS / 10);
        assertThat(group.dead)
                .extracting(letter -> new String(letter.message().value(), StandardCharsets.UTF_8))
                .allMatch(value -> value.endsWith("7"));
    }

    private static void fail(String how, Connection connection) throws SQLException {
        if (how.equals("throws")) {
            throw new IllegalStateException("out of stock");
        }
        try (var statement = connection.prepareStatement("SELECT 1 / 0")) {
            statement.execute();
        } catch (SQLException e) {
            if (how.startsWith("breaks")) {
                throw e;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"throws", "breaks the transaction", "hides that it broke the transaction"})
    void aRecordThatFailsOnceIsTriedAgainAndItsNeighboursHaveOneEffectEach(String how) throws Exception {
        Map<String, Boolean> failed = new ConcurrentHashMap<>();
        send(numbers(RECORDS));

        group.start(member().handleIn(counted(), (record, attempt, connection) -> {
            add(record, connection);
            if (Integer.parseInt(record.value()) % 10 == 3 && failed.put(record.value(), true) == null) {
                fail(how, connection);
            }
        }));

        awaitCommitted(RECORDS);
        assertOneEffectEach(RECORDS);
        assertThat(group.dead).isEmpty();
    }

    @Test
    void aKeyThatComesTwiceInOnePollHasOneEffect() throws Exception {
        List<String> keys = new ArrayList<>();
        numbers(40).forEach(number -> keys.addAll(List.of(number, number)));
        send(keys);

        group.start(member().handleIn(counted(), (record, attempt, connection) -> add(record, connection)));

        awaitCommitted(80);
        assertOneEffectEach(40);
        assertThat(group.dead).isEmpty();
    }

    @Test
    void handlersThatRecordStepsWorkAsTheyDoAlone() throws Exception {
        send(numbers(20));

        group.start(member().maxAttempts(1).handleIn(counted(), (record, attempt, connection) -> {
            attempt.step("charge", Codec.text(), () -> "charged");
            add(record, connection);
        }));

        awaitCommitted(20);
        assertOneEffectEach(20);
        assertThat(group.dead).isEmpty();
    }

    /** The transaction commits what has run, and the other member has the rest. */
    @Test
    void partitionsThatAreRevokedInTheMiddleOfATransactionHaveOneEffectForEachRecord() throws Exception {
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        send(numbers(RECORDS));
        IdempotentConsumer<String, String> first = member().handleIn(counted(), (record, attempt, connection) -> {
            add(record, connection);
            if (record.value().equals("40")) {
                inTheMiddle.countDown();
                goOn.await(30, TimeUnit.SECONDS);
            }
        });
        group.start(first);
        assertThat(inTheMiddle.await(60, TimeUnit.SECONDS)).isTrue();
        // Waits no longer than the drain of 200 ms, and leaves the group while the handler runs.
        first.close();

        group.start(member().handleIn(counted(), (record, attempt, connection) -> add(record, connection)));
        await().atMost(PATIENCE).until(() -> group.hasMembersWithPartitions(1));
        goOn.countDown();

        awaitCommitted(RECORDS);
        assertOneEffectEach(RECORDS);
        assertThat(group.dead).extracting(DeadLetter::text).isEmpty();
    }
}
