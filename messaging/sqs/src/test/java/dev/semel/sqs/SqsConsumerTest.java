package dev.semel.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Codec;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.messaging.Backoff;
import dev.semel.messaging.DeadLetter;
import dev.semel.messaging.MessageRejectedException;
import dev.semel.messaging.MessageVerdict;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.testkit.SettableClock;
import dev.semel.testservers.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/** What a consumer does with the messages of a queue. */
class SqsConsumerTest {

    private static final ExternalPolicy HOLD = Policy.external("ship").build();
    private static final SqsKeyExtractor BY_ATTRIBUTE = SqsKeyExtractor.attribute(SqsKeyExtractor.ATTRIBUTE);

    private final SettableClock clock = SettableClock.at(Instant.parse("2030-01-01T00:00:00Z"));
    private final InMemoryKeyStore store =
            InMemoryKeyStore.builder().clock(clock).build();
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final List<DeadLetter<Message>> dead = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private String queue;

    @BeforeEach
    void createQueue() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
        queue = TestSqs.newQueue();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private SqsConsumer.Builder consumer(Policy policy) {
        Semel semel = Semel.builder(store).shutdownGrace(Duration.ofSeconds(1)).build();
        open.add(semel);
        return consumer(semel, policy);
    }

    private SqsConsumer.Builder consumer(Semel semel, Policy policy) {
        return SqsConsumer.builder(semel, TestSqs.client(), queue)
                .policy(policy)
                .backoff(new Backoff(Duration.ofMillis(10), Duration.ofMillis(50)))
                .wait(Duration.ofSeconds(1))
                .deadLetters(letter -> {
                    dead.add(letter);
                    return CompletableFuture.completedStage(null);
                });
    }

    private void start(SqsConsumer consumer) {
        Thread thread = new Thread(consumer, "consumer");
        thread.setDaemon(true);
        thread.start();
        // Consumers are closed before the engines that they use.
        open.add(0, consumer);
    }

    private void send(String body, String key) {
        TestSqs.client().sendMessage(request(body, key).build()).join();
    }

    private SendMessageRequest.Builder request(String body, String key) {
        MessageAttributeValue value = MessageAttributeValue.builder()
                .dataType("String")
                .stringValue(key)
                .build();
        return SendMessageRequest.builder()
                .queueUrl(queue)
                .messageBody(body)
                .messageAttributes(Map.of(SqsKeyExtractor.ATTRIBUTE, value));
    }

    private void note(Message message) {
        handled.add(message.body());
    }

    private void awaitEmpty() {
        await().until(() -> TestSqs.count(queue) == 0);
    }

    @Test
    void handlesEachMessageOnceAndDeletesIt() {
        for (int i = 0; i < 60; i++) {
            // Sent twice each, as a producer does that never got its answer.
            send("m" + i / 2, "k" + i / 2);
        }

        start(consumer(HOLD).key(BY_ATTRIBUTE).handle((message, attempt) -> note(message)));
        start(consumer(HOLD).key(BY_ATTRIBUTE).handle((message, attempt) -> note(message)));

        awaitEmpty();
        assertThat(handled)
                .containsExactlyInAnyOrder(
                        IntStream.range(0, 30).mapToObj(i -> "m" + i).toArray(String[]::new));
    }

    @Test
    void survivesARestartOfTheServer() {
        int messages = 60;
        for (int i = 0; i < messages; i++) {
            send("m" + i, "k" + i);
        }
        CountDownLatch back = new CountDownLatch(1);
        start(consumer(HOLD).key(BY_ATTRIBUTE).visibility(Duration.ofSeconds(2)).handle((message, attempt) -> {
            note(message);
            back.await();
        }));
        await().until(() -> handled.size() >= 10);

        // What is settled while the server is down cannot be deleted, and comes again.
        TestSqs.shutDown();
        back.countDown();
        await().until(() -> handled.stream()
                .allMatch(body -> store.find(
                                Key.of(scope(), body.replace('m', 'k')).digest())
                        .toCompletableFuture()
                        .join()
                        .filter(record -> record.state() == KeyState.SUCCEEDED)
                        .isPresent()));
        TestSqs.startUp();

        awaitEmpty();
        assertThat(handled)
                .containsExactlyInAnyOrder(
                        IntStream.range(0, messages).mapToObj(i -> "m" + i).toArray(String[]::new));
        assertThat(dead).isEmpty();
    }

    private String scope() {
        return queue.substring(queue.lastIndexOf('/') + 1);
    }

    @Test
    void aMessageThatIsHandledForLongStaysInvisible() throws Exception {
        send("slow", "k");
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger deliveries = new AtomicInteger();
        SqsKeyExtractor counting = message -> {
            deliveries.incrementAndGet();
            return BY_ATTRIBUTE.keyOf(message);
        };
        for (int i = 0; i < 2; i++) {
            start(consumer(HOLD).key(counting).visibility(Duration.ofSeconds(1)).handle((message, attempt) -> {
                note(message);
                end.await();
            }));
        }
        await().until(() -> !handled.isEmpty());

        // Three times as long as the message would be invisible for, if nobody extended it.
        await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
        assertThat(deliveries).hasValue(1);
        end.countDown();
        awaitEmpty();
        assertThat(handled).containsExactly("slow");
    }

    @Test
    void aMessageInFlightElsewhereIsLeft() {
        send("taken", "x");
        Claim.Acquired elsewhere = claimElsewhere("x", "taken");
        AtomicInteger deliveries = new AtomicInteger();

        start(consumer(HOLD)
                .key(message -> {
                    deliveries.incrementAndGet();
                    return BY_ATTRIBUTE.keyOf(message);
                })
                .handle((message, attempt) -> note(message)));

        await().until(() -> deliveries.get() >= 2);
        assertThat(TestSqs.count(queue)).isOne();
        store.settle(elsewhere.lease(), Outcome.succeeded().build(), Retention.of(Duration.ofHours(1)))
                .toCompletableFuture()
                .join();
        awaitEmpty();
        assertThat(handled).isEmpty();
    }

    private Claim.Acquired claimElsewhere(String key, String body) {
        return (Claim.Acquired) store.claim(ClaimRequest.builder(
                                Key.of(scope(), key),
                                "ship",
                                Fingerprint.of(body).forOperation("ship"))
                        .lease(Duration.ofSeconds(30))
                        .takeOver(true)
                        .build())
                .toCompletableFuture()
                .join();
    }

    @Test
    void aMessageWhoseConsumerDiedIsNotHandledAgain() {
        send("lost", "x");
        claimElsewhere("x", "lost");
        clock.advance(Duration.ofMinutes(1));

        start(consumer(HOLD).key(BY_ATTRIBUTE).deadLetterUnknown().handle((message, attempt) -> note(message)));

        awaitEmpty();
        assertThat(handled).isEmpty();
        assertThat(dead).extracting(DeadLetter::reason).containsExactly(MessageVerdict.Reason.UNKNOWN);
    }

    @Test
    void aFailureGoesToTheDeadLetterQueueWithTheReason() {
        String deadQueue = TestSqs.newQueue();
        send("bad", "k");

        start(consumer(HOLD)
                .key(BY_ATTRIBUTE)
                .deadLetters(DeadLetterQueue.of(TestSqs.client(), deadQueue))
                .handle((message, attempt) -> {
                    throw new IllegalStateException("no such address");
                }));

        awaitEmpty();
        Message letter = TestSqs.client()
                .receiveMessage(request ->
                        request.queueUrl(deadQueue).waitTimeSeconds(5).messageAttributeNames("All"))
                .join()
                .messages()
                .get(0);
        assertThat(letter.body()).isEqualTo("bad");
        assertThat(letter.messageAttributes()).containsKeys(SqsKeyExtractor.ATTRIBUTE, "semel-key");
        assertThat(letter.messageAttributes().get("semel-reason").stringValue()).isEqualTo("FAILED");
        assertThat(letter.messageAttributes().get("semel-message").stringValue())
                .isEqualTo("no such address");
    }

    @Test
    void aMessageThatCannotBeKeptStaysInItsQueue() {
        send("bad", "k");
        AtomicInteger asked = new AtomicInteger();

        start(consumer(HOLD)
                .key(BY_ATTRIBUTE)
                .deadLetters(letter -> asked.incrementAndGet() < 3
                        ? CompletableFuture.failedStage(new IllegalStateException("no"))
                        : CompletableFuture.completedStage(null))
                .handle((message, attempt) -> {
                    note(message);
                    throw new IllegalStateException("bad");
                }));

        awaitEmpty();
        assertThat(asked).hasValue(3);
        assertThat(handled).hasSize(1);
    }

    @Test
    void whatIsNeverExecutedIsGivenUpAfterAWhile() {
        send("poison", "k");

        start(consumer(HOLD).key(BY_ATTRIBUTE).maxAttempts(3).handle((message, attempt) -> {
            note(message);
            throw new NotExecutedException("not now", null);
        }));

        awaitEmpty();
        assertThat(handled).hasSize(3);
        assertThat(dead)
                .singleElement()
                .satisfies(letter -> assertThat(letter.text()).contains("after 3 tries", "not now"));
    }

    @Test
    void aMessageThatIsRejectedAfterAStepIsDead() {
        send("bad", "k");
        HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 4);
        JdbcKeyStore keys = JdbcKeyStore.builder(pool).createIfMissing().build();
        Semel semel = Semel.builder(keys).build();
        open.addAll(List.of(semel, keys, pool));

        start(consumer(
                        semel,
                        Policy.transactional("ship")
                                .lease(Duration.ofSeconds(3))
                                .build())
                .key(BY_ATTRIBUTE)
                .visibility(Duration.ofSeconds(1))
                .handleIn(JdbcTransactions.of(pool), (message, attempt, transaction) -> {
                    note(message);
                    attempt.step("charge", Codec.text(), () -> "charged");
                    throw new MessageRejectedException("no such address", null);
                }));

        awaitEmpty();
        assertThat(handled).containsExactly("bad");
        assertThat(dead).extracting(DeadLetter::text).containsExactly("no such address");
    }

    @Test
    void messagesOfAGroupStayInOrder() {
        queue = TestSqs.newFifoQueue();
        for (int i = 0; i < 20; i++) {
            TestSqs.client()
                    .sendMessage(request("m" + i, "k" + i)
                            .messageGroupId("order-1")
                            .messageDeduplicationId("d" + i)
                            .build())
                    .join();
        }
        AtomicInteger failures = new AtomicInteger();

        start(consumer(HOLD).key(SqsKeyExtractor.deduplicationId()).handle((message, attempt) -> {
            if (message.body().equals("m5") && failures.incrementAndGet() < 3) {
                throw new NotExecutedException("not now", null);
            }
            note(message);
        }));

        awaitEmpty();
        assertThat(handled)
                .containsExactly(IntStream.range(0, 20).mapToObj(i -> "m" + i).toArray(String[]::new));
    }

    @Test
    void aMessageWithoutAKeyIsADeadLetter() {
        TestSqs.client()
                .sendMessage(request -> request.queueUrl(queue).messageBody("no key"))
                .join();

        start(consumer(HOLD).key(BY_ATTRIBUTE).handle((message, attempt) -> note(message)));

        awaitEmpty();
        assertThat(dead)
                .singleElement()
                .satisfies(letter -> assertThat(letter.text()).contains("no idempotency key"));
    }
}
