package dev.semel.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.SemelClosedException;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.messaging.Backoff;
import dev.semel.messaging.DeadLetter;
import dev.semel.messaging.MessageVerdict;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Retention;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.SettableClock;
import dev.semel.testkit.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.Message;

/** What fails around a handler (the store, a nested key, a thread pool, a neighbour) is not its message's failure. */
class AroundTheHandlerTest {

    private static final ExternalPolicy HOLD = Policy.external("ship").build();
    private static final ExternalPolicy CHARGE = Policy.external("charge").build();

    private final SettableClock clock = SettableClock.at(Instant.parse("2030-01-01T00:00:00Z"));
    private final InMemoryKeyStore store =
            InMemoryKeyStore.builder().clock(clock).build();
    private final FaultyStore faults = FaultyStore.around(store);
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

    private Semel engine() {
        Semel semel = Semel.builder(faults.store())
                .shutdownGrace(Duration.ofSeconds(1))
                .patience(Duration.ofMillis(200), Duration.ofMillis(200))
                .build();
        open.add(semel);
        return semel;
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
        open.add(0, consumer);
    }

    private String send(String body) {
        return TestSqs.client()
                .sendMessage(request -> request.queueUrl(queue).messageBody(body))
                .join()
                .messageId();
    }

    private void sendInGroup(String body) {
        TestSqs.client()
                .sendMessage(request -> request.queueUrl(queue)
                        .messageBody(body)
                        .messageGroupId("group")
                        .messageDeduplicationId(body))
                .join();
    }

    private Key key(String value) {
        return Key.of(queue.substring(queue.lastIndexOf('/') + 1), value);
    }

    private Claim.Acquired claimElsewhere(Key key, String operation, String body) {
        return (Claim.Acquired) store.claim(ClaimRequest.builder(
                                key, operation, Fingerprint.of(body).forOperation(operation))
                        .lease(Duration.ofSeconds(30))
                        .takeOver(true)
                        .build())
                .toCompletableFuture()
                .join();
    }

    private void awaitState(Key key, KeyState state) {
        await().until(() -> store.find(key.digest())
                .toCompletableFuture()
                .join()
                .filter(found -> found.state() == state)
                .isPresent());
    }

    private void awaitEmpty() {
        await().until(() -> TestSqs.count(queue) == 0);
    }

    private void note(Message message) {
        handled.add(message.body());
    }

    @Test
    void neighboursOfABusyMessageUseUpNoTries() {
        queue = TestSqs.newFifoQueue();
        sendInGroup("busy");
        sendInGroup("neighbour");
        Claim.Acquired elsewhere = claimElsewhere(key("busy"), "ship", "busy");
        AtomicInteger received = new AtomicInteger();

        start(consumer(engine(), HOLD)
                .key(message -> {
                    received.incrementAndGet();
                    return SqsKeyExtractor.deduplicationId().keyOf(message);
                })
                .maxAttempts(3)
                .handle((message, attempt) -> {
                    note(message);
                    if (handled.size() == 1) {
                        throw new NotExecutedException("not now", null);
                    }
                }));
        await().until(() -> received.get() >= 8);
        store.settle(elsewhere.lease(), Outcome.succeeded().build(), Retention.of(Duration.ofHours(1)))
                .toCompletableFuture()
                .join();

        awaitEmpty();
        assertThat(handled).containsExactly("neighbour", "neighbour");
        assertThat(dead).isEmpty();
    }

    @Test
    void aFullExecutorUsesUpNoTries() {
        AtomicInteger refusals = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool();
        Executor full = task -> {
            if (refusals.incrementAndGet() <= 4) {
                throw new RejectedExecutionException("full");
            }
            threads.execute(task);
        };
        send("order");

        start(consumer(engine(), HOLD).maxAttempts(2).executor(full).handle((message, attempt) -> note(message)));

        awaitEmpty();
        assertThat(handled).containsExactly("order");
        assertThat(dead).isEmpty();
        threads.shutdown();
    }

    @Test
    void anUnprotectedFailureIsSentToTheDeadLettersAgainButNotHandledAgain() {
        faults.every(StoreCall.CLAIM, Fault.FAILS_BEFORE);
        send("charge");

        start(consumer(
                        engine(),
                        Policy.external("ship")
                                .whenStoreIsDown(WhenStoreIsDown.OPEN)
                                .build())
                .deadLetters(letter -> {
                    dead.add(letter);
                    return dead.size() < 4
                            ? CompletableFuture.failedStage(new IllegalStateException("the queue is away"))
                            : CompletableFuture.completedStage(null);
                })
                .handle((message, attempt) -> {
                    note(message);
                    throw new IllegalStateException("charged, and then this");
                }));

        awaitEmpty();
        assertThat(handled).containsExactly("charge");
        assertThat(dead).hasSize(4);
    }

    @Test
    void aNestedKeyInFlightLeavesTheMessageUnknownUnderHold() {
        Key child = Key.of("nested", "child");
        claimElsewhere(child, "charge", "charge");
        Semel semel = engine();
        String id = send("order");

        start(consumer(semel, HOLD).handle((message, attempt) -> {
            note(message);
            try {
                semel.operation(CHARGE)
                        .run(
                                child,
                                Fingerprint.of("charge"),
                                nested -> Outcome.succeeded().build())
                        .get();
            } catch (RuntimeException e) {
                throw new IllegalStateException("could not charge", e);
            }
        }));

        awaitState(key(id), KeyState.UNKNOWN);
        await().during(Duration.ofMillis(300)).until(() -> dead.isEmpty() && TestSqs.count(queue) == 1);
        assertThat(handled).containsExactly("order");
    }

    @Test
    void aMessageThatCannotBeReadHereLeavesAnUnknownOutcomeUnknown() {
        String id = send("shipped");
        claimElsewhere(key(id), "ship", "shipped");
        clock.advance(Duration.ofMinutes(1));
        AtomicInteger received = new AtomicInteger();
        Semel semel = engine();

        start(consumer(semel, HOLD)
                .key(message -> {
                    received.incrementAndGet();
                    throw new IllegalArgumentException("a key of tomorrow");
                })
                .handle((message, attempt) -> note(message)));

        await().until(() -> received.get() >= 3);
        semel.maintain().toCompletableFuture().join();
        awaitState(key(id), KeyState.UNKNOWN);
        assertThat(dead).isEmpty();
        assertThat(TestSqs.count(queue)).isOne();
    }

    @Test
    void runEndsWhenTheEngineIsClosed() {
        Semel semel = engine();
        SqsConsumer consumer = consumer(semel, HOLD).handle((message, attempt) -> note(message));
        semel.close();
        send("order");

        CompletableFuture<Void> running = CompletableFuture.runAsync(consumer, Executors.newSingleThreadExecutor());

        await().until(running::isDone);
        assertThat(running).isCompletedExceptionally();
        running.exceptionally(failure -> {
                    assertThat(failure).hasRootCauseInstanceOf(SemelClosedException.class);
                    return null;
                })
                .join();
        assertThat(TestSqs.count(queue)).isOne();
        assertThat(handled).isEmpty();
    }

    @Test
    void aKeyOfAnotherOperationIsADeadLetterWithTheReason() {
        claimAndSettle(key("x"), "bill", "order");
        send("order");

        start(consumer(engine(), HOLD)
                .key(message -> java.util.Optional.of("x"))
                .handle((message, attempt) -> note(message)));

        awaitEmpty();
        assertThat(handled).isEmpty();
        assertThat(dead).extracting(DeadLetter::reason).containsExactly(MessageVerdict.Reason.MISMATCHED);
    }

    private void claimAndSettle(Key key, String operation, String body) {
        engine().operation(Policy.external(operation).build())
                .runAsync(
                        key,
                        Fingerprint.of(body),
                        attempt -> CompletableFuture.completedStage(
                                Outcome.succeeded().build()))
                .toCompletableFuture()
                .join();
    }
}
