package dev.semel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.messaging.Backoff;
import dev.semel.messaging.DeadLetter;
import dev.semel.messaging.MessageVerdict;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.SettableClock;
import dev.semel.testkit.StoreCall;
import dev.semel.testservers.TestBroker;
import java.nio.charset.StandardCharsets;
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

/** What fails around a handler (the store, a nested key, a thread pool) is not its message's failure. */
class AroundTheHandlerTest {

    private static final ExternalPolicy HOLD = Policy.external("ship").build();
    private static final ExternalPolicy CHARGE = Policy.external("charge").build();

    private final SettableClock clock = SettableClock.at(Instant.parse("2030-01-01T00:00:00Z"));
    private final InMemoryKeyStore store =
            InMemoryKeyStore.builder().clock(clock).build();
    private final FaultyStore faults = FaultyStore.around(store);
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final List<DeadLetter<Delivery>> dead = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private Connection connection;
    private ConfirmingPublisher publisher;
    private String queue;

    @BeforeEach
    void connect() throws Exception {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
        connection = TestBroker.connect();
        publisher = ConfirmingPublisher.open(connection);
        queue = TestBroker.newQueue(connection);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        publisher.close();
        connection.close();
    }

    private Semel engine() {
        Semel semel = Semel.builder(faults.store())
                .shutdownGrace(Duration.ofSeconds(1))
                .patience(Duration.ofMillis(200), Duration.ofMillis(200))
                .build();
        open.add(semel);
        return semel;
    }

    private RabbitConsumer.Builder consumer(Semel semel, Policy policy) {
        return RabbitConsumer.builder(semel, connection, queue)
                .policy(policy)
                .backoff(new Backoff(Duration.ofMillis(10), Duration.ofMillis(50)))
                .deadLetters(letter -> {
                    dead.add(letter);
                    return CompletableFuture.completedStage(null);
                });
    }

    private void started(RabbitConsumer consumer) {
        open.add(0, consumer);
    }

    private void send(String body, String id) {
        publisher
                .publish(
                        "",
                        queue,
                        new BasicProperties.Builder().messageId(id).build(),
                        body.getBytes(StandardCharsets.UTF_8))
                .toCompletableFuture()
                .join();
    }

    private static Fingerprint fingerprint(String body) {
        return Fingerprint.of(1, body.getBytes(StandardCharsets.UTF_8));
    }

    private void claimElsewhere(Key key, String operation, Fingerprint fingerprint) {
        store.claim(ClaimRequest.builder(key, operation, fingerprint.forOperation(operation))
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

    private void note(Delivery message) {
        handled.add(new String(message.getBody(), StandardCharsets.UTF_8));
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
        send("order", "k");

        started(start(consumer(engine(), HOLD).maxAttempts(2).executor(full)));

        awaitState(Key.of(queue, "k"), KeyState.SUCCEEDED);
        assertThat(handled).containsExactly("order");
        assertThat(dead).isEmpty();
        threads.shutdown();
    }

    private RabbitConsumer start(RabbitConsumer.Builder builder) {
        try {
            return builder.handle((message, attempt) -> note(message));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void anUnprotectedFailureIsSentToTheDeadLettersAgainButNotHandledAgain() throws Exception {
        faults.every(StoreCall.CLAIM, Fault.FAILS_BEFORE);
        send("charge", "k");

        started(consumer(
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

        await().until(() -> dead.size() == 4);
        assertThat(handled).containsExactly("charge");
    }

    @Test
    void aNestedKeyInFlightLeavesTheMessageUnknownUnderHold() throws Exception {
        Key child = Key.of("nested", "child");
        claimElsewhere(child, "charge", Fingerprint.of("charge"));
        Semel semel = engine();
        send("order", "k");

        started(consumer(semel, HOLD).handle((message, attempt) -> {
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

        awaitState(Key.of(queue, "k"), KeyState.UNKNOWN);
        await().during(Duration.ofMillis(300)).until(dead::isEmpty);
        assertThat(handled).containsExactly("order");
    }

    @Test
    void aConsumerGivesItsQueueToOthersWhenItsEngineIsClosed() throws Exception {
        Semel semel = engine();
        started(consumer(semel, HOLD).handle((message, attempt) -> note(message)));
        semel.close();
        send("order", "k");

        List<GetResponse> back = new ArrayList<>();
        await().until(() -> {
            GetResponse message = TestBroker.get(connection, queue);
            if (message != null) {
                back.add(message);
            }
            return !back.isEmpty();
        });
        assertThat(handled).isEmpty();
        assertThat(dead).isEmpty();
    }

    @Test
    void aKeyOfAnotherOperationIsADeadLetterWithTheReason() throws Exception {
        engine().operation(Policy.external("bill").build())
                .runAsync(
                        Key.of(queue, "k"),
                        fingerprint("order"),
                        attempt -> CompletableFuture.completedStage(
                                Outcome.succeeded().build()))
                .toCompletableFuture()
                .join();
        send("order", "k");

        started(consumer(engine(), HOLD).handle((message, attempt) -> note(message)));

        await().until(() -> !dead.isEmpty());
        assertThat(handled).isEmpty();
        assertThat(dead).extracting(DeadLetter::reason).containsExactly(MessageVerdict.Reason.MISMATCHED);
    }
}
