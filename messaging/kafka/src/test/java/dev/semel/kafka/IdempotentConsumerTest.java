package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Codec;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.messaging.DeadLetter;
import dev.semel.messaging.MessageRejectedException;
import dev.semel.messaging.MessageVerdict;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.spi.Resolution;
import dev.semel.testkit.SettableClock;
import dev.semel.testservers.TestPostgres;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a single consumer does with the records that it gets. */
class IdempotentConsumerTest {

    private static final ExternalPolicy HOLD = Policy.external("ship").build();
    private static final ExternalPolicy RE_EXECUTE =
            Policy.external("ship").recovery(Recovery.RE_EXECUTE).build();

    private final SettableClock clock = SettableClock.at(java.time.Instant.parse("2030-01-01T00:00:00Z"));
    private final InMemoryKeyStore store =
            InMemoryKeyStore.builder().clock(clock).build();
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private Group group;

    @BeforeAll
    static void beGenerousOnABusyMachine() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    }

    @AfterEach
    void stop() throws Exception {
        if (group != null) {
            group.close();
        }
    }

    private Group group(int partitions) throws Exception {
        group = new Group(store, partitions);
        return group;
    }

    private void note(ConsumerRecord<String, String> record) {
        handled.add(record.value());
    }

    private Key positionKey(int partition, long offset) {
        return Key.of(group.name, group.topic + "-" + partition + "@" + offset);
    }

    private void awaitCommitted(int partition, long offset) {
        await().untilAsserted(() -> assertThat(group.committed(partition)).isEqualTo(offset));
    }

    @ParameterizedTest
    @EnumSource(
            value = Recovery.class,
            names = {"HOLD", "RE_EXECUTE"})
    void handlesRecordsInOrderAndCommitsThem(Recovery recovery) throws Exception {
        Group group = group(1);
        ExternalPolicy policy = Policy.external("ship").recovery(recovery).build();
        String[] values = IntStream.range(0, 200).mapToObj(Integer::toString).toArray(String[]::new);
        for (String value : values) {
            group.send(0, null, value, Map.of());
        }

        group.start(group.member(policy).handle((record, attempt) -> note(record)));

        awaitCommitted(0, values.length);
        assertThat(handled).containsExactly(values);
    }

    @Test
    void actsOnceOnWhatIsDeliveredAgain() throws Exception {
        Group group = group(1);
        group.send(0, "a", "b", "c");
        IdempotentConsumer<String, String> first =
                group.start(group.member(HOLD).handle((record, attempt) -> note(record)));
        awaitCommitted(0, 3);
        first.close();
        group.rewind(0);

        group.start(group.member(HOLD).handle((record, attempt) -> note(record)));

        awaitCommitted(0, 3);
        assertThat(handled).containsExactly("a", "b", "c");
    }

    @Test
    void actsOnceOnRecordsThatWereSentTwice() throws Exception {
        Group group = group(1);
        for (int i = 0; i < 40; i++) {
            group.send(0, "k", "order " + i / 2, Map.of(KeyExtractor.HEADER, "order-" + i / 2));
        }

        // Both records of a pair are claimed ahead: whichever gets the key, neither may wait for the other for ever.
        group.start(group.member(RE_EXECUTE)
                .key(KeyExtractor.header(KeyExtractor.HEADER))
                .handle((record, attempt) -> note(record)));

        awaitCommitted(0, 40);
        assertThat(handled)
                .containsExactly(
                        IntStream.range(0, 20).mapToObj(i -> "order " + i).toArray(String[]::new));
    }

    @Test
    void runsRecordsOfAPartitionAtOnceWhereOrderDoesNotMatter() throws Exception {
        Group group = group(1);
        CountDownLatch together = new CountDownLatch(8);
        for (int i = 0; i < 8; i++) {
            group.send(0, null, "" + i, Map.of());
        }

        group.start(group.member(HOLD).unordered().handle((record, attempt) -> {
            together.countDown();
            together.await();
            note(record);
        }));

        awaitCommitted(0, 8);
        assertThat(handled).hasSize(8);
    }

    @Test
    void commitsNothingBehindARecordThatIsNotSettled() throws Exception {
        Group group = group(1);
        CountDownLatch slow = new CountDownLatch(1);
        group.send(0, "slow", "fast", "fast");

        group.start(group.member(HOLD).unordered().handle((record, attempt) -> {
            if (record.value().equals("slow")) {
                slow.await();
            }
            note(record);
        }));

        await().until(() -> store.find(positionKey(0, 2).digest())
                .toCompletableFuture()
                .join()
                .filter(found -> found.state() == KeyState.SUCCEEDED)
                .isPresent());
        assertThat(group.committed(0)).isZero();
        slow.countDown();
        awaitCommitted(0, 3);
    }

    @Test
    void aRecordInFlightElsewhereHoldsItsPartitionBack() throws Exception {
        Group group = group(1);
        group.send(0, null, "taken", Map.of(KeyExtractor.HEADER, "x")).get();
        group.send(0, null, "behind", Map.of(KeyExtractor.HEADER, "y")).get();
        Claim.Acquired elsewhere = claimElsewhere("x", "taken");

        group.start(group.member(RE_EXECUTE)
                .key(KeyExtractor.header(KeyExtractor.HEADER))
                .handle((record, attempt) -> note(record)));

        awaitWaiting("x");
        assertThat(handled).isEmpty();
        assertThat(group.committed(0)).isZero();

        store.settle(elsewhere.lease(), Outcome.succeeded().build(), Retention.of(Duration.ofHours(1)))
                .toCompletableFuture()
                .join();
        awaitCommitted(0, 2);
        assertThat(handled).containsExactly("behind");
    }

    /** Two looks of the consumer at a key that somebody else holds: it has not skipped the record. */
    private void awaitWaiting(String key) {
        await().during(Duration.ofMillis(300))
                .until(() -> store.find(Key.of(group.name, key).digest())
                        .toCompletableFuture()
                        .join()
                        .filter(found -> found.state() != KeyState.SUCCEEDED)
                        .isPresent());
    }

    private Claim.Acquired claimElsewhere(String key, String value) {
        byte[] absent = {0};
        byte[] present = {1};
        Fingerprint fingerprint = Fingerprint.of(
                        1, absent, new byte[0], present, value.getBytes(StandardCharsets.UTF_8))
                .forOperation("ship");
        return (Claim.Acquired) store.claim(ClaimRequest.builder(Key.of(group.name, key), "ship", fingerprint)
                        .lease(Duration.ofSeconds(30))
                        .takeOver(true)
                        .build())
                .toCompletableFuture()
                .join();
    }

    @Test
    void aRecordWithAnUnknownOutcomeBlocksItsPartitionUntilItIsResolved() throws Exception {
        Group group = group(1);
        group.send(0, null, "lost", Map.of(KeyExtractor.HEADER, "x")).get();
        group.send(0, null, "behind", Map.of(KeyExtractor.HEADER, "y")).get();
        Claim.Acquired dead = claimElsewhere("x", "lost");
        clock.advance(Duration.ofMinutes(1));

        group.start(group.member(HOLD)
                .key(KeyExtractor.header(KeyExtractor.HEADER))
                .handle((record, attempt) -> note(record)));

        awaitWaiting("x");
        assertThat(handled).isEmpty();
        store.resolve(
                        dead.lease().digest(),
                        dead.lease().token(),
                        new Resolution.Release(),
                        "the carrier has no such parcel")
                .toCompletableFuture()
                .join();
        awaitCommitted(0, 2);
        assertThat(handled).containsExactly("lost", "behind");
    }

    @Test
    void aRecordWithAnUnknownOutcomeGoesToTheDeadLettersIfConfigured() throws Exception {
        Group group = group(1);
        group.send(0, null, "lost", Map.of(KeyExtractor.HEADER, "x")).get();
        claimElsewhere("x", "lost");
        clock.advance(Duration.ofMinutes(1));

        group.start(group.member(HOLD)
                .key(KeyExtractor.header(KeyExtractor.HEADER))
                .deadLetterUnknown()
                .handle((record, attempt) -> note(record)));

        awaitCommitted(0, 1);
        assertThat(handled).isEmpty();
        assertThat(group.dead).extracting(DeadLetter::reason).containsExactly(MessageVerdict.Reason.UNKNOWN);
    }

    @Test
    void aFailureGoesToTheDeadLetterTopicWithTheReason() throws Exception {
        Group group = group(1);
        String deadTopic = group.topic + ".dead";
        TestKafka.shared().createTopic(deadTopic, 1);
        group.send(0, "7", "bad", Map.of("trace", "t1")).get();
        group.send(0, "good");
        try (DeadLetterTopic letters = DeadLetterTopic.of(TestKafka.shared().config(), topic -> topic + ".dead")) {
            group.start(group.member(HOLD).deadLetters(letters).handle((record, attempt) -> {
                if (record.value().equals("bad")) {
                    throw new IllegalStateException("no such address");
                }
                note(record);
            }));
            awaitCommitted(0, 2);
        }

        assertThat(handled).containsExactly("good");
        List<ConsumerRecord<byte[], byte[]>> dead = Group.read(deadTopic);
        assertThat(dead).hasSize(1);
        assertThat(dead.get(0).key()).asString().isEqualTo("7");
        assertThat(dead.get(0).value()).asString().isEqualTo("bad");
        Map<String, String> headers = new HashMap<>();
        for (Header header : dead.get(0).headers()) {
            headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
        }
        assertThat(headers)
                .containsEntry("trace", "t1")
                .containsEntry("semel-reason", "FAILED")
                .containsEntry("semel-exception", IllegalStateException.class.getName())
                .containsEntry("semel-message", "no such address")
                .containsEntry("semel-operation", "ship")
                .containsEntry("semel-key", positionKey(0, 0).digest().toString())
                .containsEntry("semel-topic", group.topic)
                .containsEntry("semel-partition", "0")
                .containsEntry("semel-offset", "0");
    }

    @Test
    void aRecordIsNotCommittedBeforeItIsAmongTheDeadLetters() throws Exception {
        Group group = group(1);
        group.send(0, "bad");
        CompletableFuture<Void> sent = new CompletableFuture<>();
        CountDownLatch asked = new CountDownLatch(2);
        group.start(group.member(HOLD)
                .deadLetters(letter -> {
                    asked.countDown();
                    return asked.getCount() > 0
                            ? CompletableFuture.failedStage(new IllegalStateException("the broker is down"))
                            : sent;
                })
                .handle((record, attempt) -> {
                    throw new IllegalStateException("bad");
                }));

        asked.await();
        assertThat(group.committed(0)).isZero();
        sent.complete(null);
        awaitCommitted(0, 1);
    }

    @Test
    void recordsThatCannotBeReadAreDeadLetters() throws Exception {
        Group group = group(1);
        StringDeserializer picky = new StringDeserializer() {
            @Override
            public String deserialize(String topic, byte[] data) {
                if (data.length == 0) {
                    throw new IllegalArgumentException("empty");
                }
                return super.deserialize(topic, data);
            }
        };
        group.send(0, null, "", Map.of(KeyExtractor.HEADER, "a")).get();
        group.send(0, null, "no key", Map.of()).get();
        group.send(0, null, "long key", Map.of(KeyExtractor.HEADER, "k".repeat(300)))
                .get();
        group.send(0, null, "good", Map.of(KeyExtractor.HEADER, "b")).get();

        group.start(group.member(HOLD, Map.of(), picky)
                .key(KeyExtractor.header(KeyExtractor.HEADER))
                .handle((record, attempt) -> note(record)));

        awaitCommitted(0, 4);
        assertThat(handled).containsExactly("good");
        assertThat(group.dead).hasSize(3);
        assertThat(group.dead.get(0).text()).contains("empty");
        assertThat(group.dead.get(1).text()).contains("no idempotency key");
        assertThat(group.dead.get(2).text()).contains("255");
    }

    @Test
    void aKeyThatBelongsToAnotherContentIsADeadLetter() throws Exception {
        Group group = group(1);
        group.send(0, null, "one", Map.of(KeyExtractor.HEADER, "x")).get();
        group.send(0, null, "two", Map.of(KeyExtractor.HEADER, "x")).get();

        group.start(group.member(HOLD)
                .key(KeyExtractor.header(KeyExtractor.HEADER))
                .handle((record, attempt) -> note(record)));

        awaitCommitted(0, 2);
        assertThat(handled).containsExactly("one");
        assertThat(group.dead).extracting(DeadLetter::reason).containsExactly(MessageVerdict.Reason.MISMATCHED);
    }

    @Test
    void whatWasNotExecutedIsTriedAgainInItsPlace() throws Exception {
        Group group = group(1);
        group.send(0, "a", "b");
        List<Integer> tries = new CopyOnWriteArrayList<>();

        group.start(group.member(RE_EXECUTE).handle((record, attempt) -> {
            if (record.value().equals("a") && tries.size() < 3) {
                tries.add(attempt.number());
                throw new NotExecutedException("the carrier is closed", null);
            }
            note(record);
        }));

        awaitCommitted(0, 2);
        assertThat(tries).containsExactly(1, 1, 1);
        assertThat(handled).containsExactly("a", "b");
        assertThat(group.dead).isEmpty();
    }

    @Test
    void whatIsNeverExecutedIsGivenUpWhereAskedFor() throws Exception {
        Group group = group(1);
        group.send(0, "poison", "good");

        group.start(group.member(HOLD).maxAttempts(3).handle((record, attempt) -> {
            note(record);
            if (record.value().equals("poison")) {
                throw new NotExecutedException("not now", null);
            }
        }));

        awaitCommitted(0, 2);
        assertThat(handled).containsExactly("poison", "poison", "poison", "good");
        assertThat(group.dead)
                .singleElement()
                .satisfies(letter -> assertThat(letter.text()).contains("after 3 tries", "not now"));
    }

    @Test
    void aRecordThatIsRejectedAfterAStepIsDeadAndDoesNotHoldItsPartitionBack() throws Exception {
        try (HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 4);
                JdbcKeyStore keys = JdbcKeyStore.builder(pool).createIfMissing().build();
                Group own = new Group(keys, 1)) {
            group = own;
            group.send(0, "bad", "good");

            group.start(group.member(Policy.transactional("ship")
                            .lease(Duration.ofSeconds(1))
                            .build())
                    .handleIn(JdbcTransactions.of(pool), (record, attempt, transaction) -> {
                        note(record);
                        attempt.step("charge", Codec.text(), () -> "charged");
                        if (record.value().equals("bad")) {
                            throw new MessageRejectedException("no such address", null);
                        }
                    }));

            awaitCommitted(0, 2);
            assertThat(handled).containsExactly("bad", "good");
            assertThat(group.dead).extracting(DeadLetter::text).containsExactly("no such address");
            group = null;
        }
    }

    @Test
    void aRecordThatKillsItsConsumersIsGivenUpWhereAskedFor() throws Exception {
        Group group = group(1);
        group.send(0, null, "poison", Map.of(KeyExtractor.HEADER, "x")).get();
        for (int death = 1; death <= 3; death++) {
            assertThat(claimElsewhere("x", "poison").lease().attempt()).isEqualTo(death);
            clock.advance(Duration.ofMinutes(1));
        }

        group.start(group.member(RE_EXECUTE)
                .key(KeyExtractor.header(KeyExtractor.HEADER))
                .maxAttempts(3)
                .handle((record, attempt) -> note(record)));

        awaitCommitted(0, 1);
        assertThat(handled).isEmpty();
        assertThat(group.dead)
                .singleElement()
                .satisfies(letter -> assertThat(letter.text()).contains("3 attempts have died"));
    }

    @Test
    void handlesWithoutAThread() throws Exception {
        Group group = group(1);
        group.send(0, "a", "b");

        group.start(
                group.member(HOLD).handleAsync((record, attempt) -> CompletableFuture.runAsync(() -> note(record))));

        awaitCommitted(0, 2);
        assertThat(handled).containsExactly("a", "b");
    }

    @Test
    void aClosedConsumerLeavesWhatItHasNotHandled() throws Exception {
        Group group = group(1);
        CountDownLatch running = new CountDownLatch(1);
        CompletableFuture<Void> end = new CompletableFuture<>();
        group.send(0, "a", "b", "c");
        IdempotentConsumer<String, String> first = group.start(
                group.member(RE_EXECUTE).drain(Duration.ofSeconds(30)).handleAsync((record, attempt) -> {
                    note(record);
                    running.countDown();
                    return end;
                }));
        running.await();

        CompletableFuture<Void> closed = CompletableFuture.runAsync(first::close);
        end.complete(null);
        closed.join();

        assertThat(handled).hasSizeLessThanOrEqualTo(3).startsWith("a");
        assertThat(group.committed(0)).isEqualTo(handled.size());
        group.start(group.member(RE_EXECUTE).handle((record, attempt) -> note(record)));
        awaitCommitted(0, 3);
        assertThat(handled).containsExactly("a", "b", "c");
    }

    @Test
    void refusesToCommitByItself() throws Exception {
        Group group = group(1);

        assertThatThrownBy(() -> group.member(HOLD, Map.of("enable.auto.commit", "true"), new StringDeserializer())
                        .handle((record, attempt) -> note(record)))
                .hasMessageContaining("enable.auto.commit");
        assertThatThrownBy(() ->
                        group.member(Policy.transactional("ship").build()).handle((record, attempt) -> note(record)))
                .hasMessageContaining("Policy.external");
    }

    @Test
    void keysOfPositionsAreUnambiguousAndFit() {
        assertThat(KeyExtractor.<String, String>position().keyOf(new ConsumerRecord<>("t-1", 2, 3, "", "")))
                .isEqualTo(Optional.of("t-1-2@3"));
        assertThat(KeyExtractor.<String, String>position()
                        .keyOf(new ConsumerRecord<>("t".repeat(249), 2, 3, "", ""))
                        .orElseThrow())
                .hasSizeLessThan(Key.MAX_LENGTH);
        assertThat(KeyExtractor.<byte[], String>recordKey()
                        .keyOf(new ConsumerRecord<>("t", 2, 3, new byte[] {1, 2}, "")))
                .isEqualTo(Optional.of("0102"));
    }
}
