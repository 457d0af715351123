package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.SemelClosedException;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.messaging.DeadLetter;
import dev.semel.messaging.MessageVerdict;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Resolution;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.SettableClock;
import dev.semel.testkit.StoreCall;
import dev.semel.testservers.TestPostgres;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What fails around a handler (the store, a nested key, a thread pool, a schema registry) is not its record's failure. */
class AroundTheHandlerTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final ExternalPolicy HOLD = Policy.external("ship").build();
    private static final ExternalPolicy RE_EXECUTE =
            Policy.external("ship").recovery(Recovery.RE_EXECUTE).lease(LEASE).build();
    private static final ExternalPolicy CHARGE = Policy.external("charge").build();

    private final SettableClock clock = SettableClock.at(Instant.parse("2030-01-01T00:00:00Z"));
    private final InMemoryKeyStore store =
            InMemoryKeyStore.builder().clock(clock).build();
    private final FaultyStore faults = FaultyStore.around(store);
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private Group group;

    @BeforeEach
    void start() throws Exception {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
        group = new Group(faults.store(), 1);
    }

    @AfterEach
    void stop() throws Exception {
        group.close();
    }

    private void note(ConsumerRecord<String, String> record) {
        handled.add(record.value());
    }

    private Key keyOf(long offset) {
        return Key.of(group.name, group.topic + "-0@" + offset);
    }

    private Optional<KeyRecord> find(Key key) {
        return store.find(key.digest()).toCompletableFuture().join();
    }

    private void awaitState(long offset, KeyState state) {
        await().until(() ->
                find(keyOf(offset)).filter(found -> found.state() == state).isPresent());
    }

    private void awaitCommitted(long offset) {
        await().untilAsserted(() -> assertThat(group.committed(0)).isEqualTo(offset));
    }

    private Claim.Acquired claimElsewhere(Key key, String operation, Fingerprint fingerprint) {
        return (Claim.Acquired) store.claim(ClaimRequest.builder(key, operation, fingerprint.forOperation(operation))
                        .lease(Duration.ofSeconds(30))
                        .takeOver(true)
                        .build())
                .toCompletableFuture()
                .join();
    }

    private static Fingerprint fingerprint(String value) {
        byte[] absent = {0};
        byte[] present = {1};
        return Fingerprint.of(1, absent, new byte[0], present, value.getBytes(StandardCharsets.UTF_8));
    }

    private static final StringDeserializer UNABLE = new StringDeserializer() {
        @Override
        public String deserialize(String topic, byte[] data) {
            throw new SerializationException("a field of tomorrow");
        }
    };

    @Test
    void aRecordThatCannotBeReadHereLeavesAnUnknownOutcomeUnknown() throws Exception {
        group.send(0, "shipped");
        Claim.Acquired dead = claimElsewhere(keyOf(0), "ship", fingerprint("shipped"));
        clock.advance(LEASE.multipliedBy(2));

        group.start(group.member(group.attentiveEngine(), HOLD, Map.of(), UNABLE)
                .handle((record, attempt) -> note(record)));

        awaitState(0, KeyState.UNKNOWN);
        await().during(Duration.ofMillis(300)).until(() -> group.dead.isEmpty() && group.committed(0) == 0);
        assertThat(find(keyOf(0)).orElseThrow().state()).isEqualTo(KeyState.UNKNOWN);
        store.resolve(
                        dead.lease().digest(),
                        dead.lease().token(),
                        new Resolution.Settle(Outcome.succeeded().build()),
                        "the carrier has it")
                .toCompletableFuture()
                .join();
        awaitCommitted(1);
        assertThat(group.dead).isEmpty();
    }

    @Test
    void aRecordThatCouldNotBeReadIsHandledWhenItIsRewoundForAReaderThatCan() throws Exception {
        group.send(0, "order");
        IdempotentConsumer<String, String> old =
                group.start(group.member(HOLD, Map.of(), UNABLE).handle((record, attempt) -> note(record)));
        awaitCommitted(1);
        assertThat(group.dead).extracting(DeadLetter::text).first().asString().contains("a field of tomorrow");
        old.close();
        group.rewind(0);

        group.start(group.member(HOLD).handle((record, attempt) -> note(record)));

        awaitCommitted(1);
        assertThat(handled).containsExactly("order");
    }

    @Test
    void recordsAreReadAgainWhenTheSchemaRegistryIsBack() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        StringDeserializer withRegistry = new StringDeserializer() {
            @Override
            public String deserialize(String topic, byte[] data) {
                if (reads.incrementAndGet() <= 5) {
                    throw new SerializationException(
                            "Error retrieving schema 7", new ConnectException("Connection refused"));
                }
                return super.deserialize(topic, data);
            }
        };
        group.send(0, "a", "b", "c");

        group.start(group.member(HOLD, Map.of(), withRegistry).handle((record, attempt) -> note(record)));

        awaitCommitted(3);
        assertThat(handled).containsExactly("a", "b", "c");
        assertThat(group.dead).isEmpty();
    }

    @Test
    void anUnprotectedFailureIsSentToTheDeadLettersAgainButNotHandledAgain() throws Exception {
        faults.every(StoreCall.CLAIM, Fault.FAILS_BEFORE);
        AtomicInteger sent = new AtomicInteger();
        group.send(0, "charge");

        group.start(group.member(Policy.external("ship")
                        .whenStoreIsDown(WhenStoreIsDown.OPEN)
                        .build())
                .deadLetters(letter -> {
                    group.dead.add(letter);
                    return sent.incrementAndGet() < 4
                            ? CompletableFuture.failedStage(new IllegalStateException("the broker is down"))
                            : CompletableFuture.completedStage(null);
                })
                .handle((record, attempt) -> {
                    note(record);
                    throw new IllegalStateException("charged, and then this");
                }));

        awaitCommitted(1);
        assertThat(handled).containsExactly("charge");
        assertThat(group.dead).hasSize(4);
    }

    private void charge(Semel semel, Key child) {
        try {
            semel.operation(CHARGE)
                    .run(child, Fingerprint.of("charge"), attempt -> {
                        throw new AssertionError("the key is somebody else's");
                    })
                    .get();
        } catch (RuntimeException e) {
            throw new IllegalStateException("could not charge", e);
        }
    }

    @Test
    void aNestedKeyInFlightLeavesTheRecordUnknownUnderHold() throws Exception {
        Key child = Key.of(group.name, "child");
        claimElsewhere(child, "charge", Fingerprint.of("charge"));
        Semel semel = group.engine();
        group.send(0, "order");

        group.start(
                group.member(semel, HOLD, Map.of(), new StringDeserializer()).handle((record, attempt) -> {
                    note(record);
                    charge(semel, child);
                }));

        awaitState(0, KeyState.UNKNOWN);
        await().during(Duration.ofMillis(300)).until(() -> group.dead.isEmpty() && group.committed(0) == 0);
        assertThat(handled).containsExactly("order");
    }

    @Test
    void aNestedKeyInFlightIsTriedAgainUnderReExecuteHoweverOftenAndUsesUpNoTries() throws Exception {
        Key child = Key.of(group.name, "child");
        claimElsewhere(child, "charge", Fingerprint.of("charge"));
        Semel semel = group.engine();
        group.send(0, "order");

        group.start(group.member(semel, RE_EXECUTE, Map.of(), new StringDeserializer())
                .maxAttempts(2)
                .handle((record, attempt) -> {
                    note(record);
                    if (attempt.number() < 5) {
                        charge(semel, child);
                    }
                }));

        for (int attempt = 1; attempt < 5; attempt++) {
            int number = attempt;
            await().until(() -> handled.size() == number);
            clock.advance(LEASE.multipliedBy(2));
        }
        awaitCommitted(1);
        assertThat(handled).hasSize(5);
        assertThat(group.dead).isEmpty();
        awaitState(0, KeyState.SUCCEEDED);
    }

    @Test
    void aNestedFailureOfSemelInATransactionUsesUpNoTries() throws Exception {
        Key child = Key.of(group.name, "child");
        claimElsewhere(child, "charge", Fingerprint.of("charge"));
        Semel nested = group.engine();
        try (HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 4);
                JdbcKeyStore keys = JdbcKeyStore.builder(pool).createIfMissing().build();
                Group own = new Group(keys, 1)) {
            own.send(0, "order");

            own.start(own.member(Policy.transactional("ship").build())
                    .maxAttempts(2)
                    .handleIn(JdbcTransactions.of(pool), (record, attempt, transaction) -> {
                        note(record);
                        if (handled.size() < 5) {
                            charge(nested, child);
                        }
                    }));

            await().until(() -> own.committed(0) == 1);
            assertThat(handled).hasSize(5);
            assertThat(own.dead).isEmpty();
        }
    }

    @Test
    void aFullExecutorUsesUpNoTries() throws Exception {
        AtomicInteger refusals = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool();
        Executor full = task -> {
            if (refusals.incrementAndGet() <= 5) {
                throw new RejectedExecutionException("full");
            }
            threads.execute(task);
        };
        group.send(0, "order");

        group.start(group.member(HOLD).maxAttempts(3).executor(full).handle((record, attempt) -> note(record)));

        awaitCommitted(1);
        assertThat(handled).containsExactly("order");
        assertThat(group.dead).isEmpty();
        threads.shutdown();
    }

    @Test
    void anExecutorThatFailsOtherwiseIsNoFailureOfTheRecord() throws Exception {
        AtomicInteger refusals = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool();
        Executor broken = task -> {
            if (refusals.incrementAndGet() <= 2) {
                throw new IllegalStateException("the pool is being replaced");
            }
            threads.execute(task);
        };
        group.send(0, "order");

        group.start(group.member(HOLD).executor(broken).handle((record, attempt) -> note(record)));

        awaitCommitted(1);
        assertThat(handled).containsExactly("order");
        assertThat(group.dead).isEmpty();
        threads.shutdown();
    }

    @Test
    void runEndsWhenTheEngineIsClosedAlsoWithTransactions() throws Exception {
        try (HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 4);
                JdbcKeyStore keys = JdbcKeyStore.builder(pool).createIfMissing().build();
                Group own = new Group(keys, 1)) {
            Semel semel = own.engine();
            IdempotentConsumer<String, String> consumer = own.member(
                            semel, Policy.transactional("ship").build(), Map.of(), new StringDeserializer())
                    .handleIn(JdbcTransactions.of(pool), (record, attempt, transaction) -> note(record));
            semel.close();
            own.send(0, "order");

            CompletableFuture<Void> running = CompletableFuture.runAsync(consumer, Executors.newSingleThreadExecutor());

            await().until(running::isDone);
            assertThat(running).isCompletedExceptionally();
            running.exceptionally(failure -> {
                        assertThat(failure).hasRootCauseInstanceOf(SemelClosedException.class);
                        return null;
                    })
                    .join();
            assertThat(handled).isEmpty();
            assertThat(own.dead).isEmpty();
        }
    }

    @Test
    void aKeyOfAnotherOperationOfTheGroupIsADeadLetterWithTheReason() throws Exception {
        group.send(0, null, "order", Map.of(KeyExtractor.HEADER, "x")).get();
        IdempotentConsumer<String, String> shipping = group.start(group.member(HOLD)
                .key(KeyExtractor.header(KeyExtractor.HEADER))
                .handle((record, attempt) -> note(record)));
        awaitCommitted(1);
        shipping.close();
        group.rewind(0);

        group.start(group.member(Policy.external("bill").build())
                .key(KeyExtractor.header(KeyExtractor.HEADER))
                .handle((record, attempt) -> note(record)));

        awaitCommitted(1);
        assertThat(group.dead)
                .singleElement()
                .satisfies(letter -> assertThat(letter.reason()).isEqualTo(MessageVerdict.Reason.MISMATCHED));
    }
}
