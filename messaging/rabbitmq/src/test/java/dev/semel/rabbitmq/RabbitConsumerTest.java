package dev.semel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.CancelCallback;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
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
import dev.semel.messaging.Handling;
import dev.semel.messaging.MessageGuard;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.MessageRejectedException;
import dev.semel.messaging.MessageVerdict;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.testkit.SettableClock;
import dev.semel.testservers.TestBroker;
import dev.semel.testservers.TestPostgres;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a consumer does with the messages of a queue. */
class RabbitConsumerTest {

    private static final ExternalPolicy HOLD = Policy.external("ship").build();

    private final SettableClock clock = SettableClock.at(Instant.parse("2030-01-01T00:00:00Z"));
    private final InMemoryKeyStore store =
            InMemoryKeyStore.builder().clock(clock).build();
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final List<DeadLetter<Delivery>> dead = new CopyOnWriteArrayList<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger replayed = new AtomicInteger();
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

    private RabbitConsumer.Builder consumer() {
        return consumer(connection);
    }

    private RabbitConsumer.Builder consumer(Connection on) {
        Semel semel = Semel.builder(store)
                .shutdownGrace(Duration.ofSeconds(1))
                .listener(event -> {
                    if (event instanceof SemelEvent.InFlight) {
                        inFlight.incrementAndGet();
                    } else if (event instanceof SemelEvent.Replayed) {
                        replayed.incrementAndGet();
                    }
                })
                .build();
        open.add(semel);
        return consumer(on, semel);
    }

    private RabbitConsumer.Builder consumer(Connection on, Semel semel) {
        return RabbitConsumer.builder(semel, on, queue)
                .policy(HOLD)
                .backoff(new Backoff(Duration.ofMillis(10), Duration.ofMillis(50)))
                .deadLetters(letter -> {
                    dead.add(letter);
                    return CompletableFuture.completedStage(null);
                });
    }

    /** Consumers are closed before the engines that they use. */
    private RabbitConsumer started(RabbitConsumer consumer) {
        open.add(0, consumer);
        return consumer;
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

    private void note(Delivery message) {
        handled.add(new String(message.getBody(), StandardCharsets.UTF_8));
    }

    private void awaitSettled(String id, KeyState state) {
        await().until(() -> store.find(Key.of(queue, id).digest())
                .toCompletableFuture()
                .join()
                .filter(found -> found.state() == state)
                .isPresent());
    }

    /** Closes what consumes the queue, and says how many messages nobody has acknowledged. */
    private void assertQueueIsEmpty() throws Exception {
        for (AutoCloseable each : open) {
            if (each instanceof RabbitConsumer) {
                each.close();
            }
        }
        open.removeIf(each -> each instanceof RabbitConsumer);
        assertThat(TestBroker.get(connection, queue)).isNull();
    }

    @Test
    void handlesEachMessageOnceAndAcknowledgesIt() throws Exception {
        started(consumer().handle((message, attempt) -> note(message)));
        started(consumer().handle((message, attempt) -> note(message)));
        for (int i = 0; i < 100; i++) {
            // Sent twice each, as a producer does that never got its answer.
            send("m" + i / 2, "k" + i / 2);
        }

        awaitSettled("k49", KeyState.SUCCEEDED);
        await().until(() -> handled.size() == 50);
        assertQueueIsEmpty();
        assertThat(handled)
                .containsExactlyInAnyOrder(
                        IntStream.range(0, 50).mapToObj(i -> "m" + i).toArray(String[]::new));
    }

    @Test
    void aMessageThatWasNotAcknowledgedHasNoSecondEffect() throws Exception {
        Connection dying = TestBroker.connect();
        CountDownLatch running = new CountDownLatch(1);
        CompletableFuture<Void> end = new CompletableFuture<>();
        RabbitConsumer first = consumer(dying).handleAsync((message, attempt) -> {
            note(message);
            running.countDown();
            return end;
        });
        send("m", "k");
        running.await();

        // The broker gives the message to the second consumer while the first is still at it.
        started(consumer().handle((message, attempt) -> note(message)));
        dying.abort();
        end.complete(null);
        first.close();

        awaitSettled("k", KeyState.SUCCEEDED);
        await().untilAsserted(() -> assertThat(handled).containsExactly("m"));
        send("last", "l");
        awaitSettled("l", KeyState.SUCCEEDED);
        assertThat(handled).containsExactly("m", "last");
    }

    @Test
    void aMessageInFlightElsewhereIsHeldUntilItsKeyIsSettled() throws Exception {
        send("taken", "x");
        Claim.Acquired elsewhere = claimElsewhere("x", "taken");
        AtomicInteger deliveries = new AtomicInteger();

        started(consumer()
                .key(message -> {
                    deliveries.incrementAndGet();
                    return RabbitKeyExtractor.messageId().keyOf(message);
                })
                .handle((message, attempt) -> note(message)));

        await().until(() -> inFlight.get() >= 30);
        store.settle(elsewhere.lease(), Outcome.succeeded().build(), Retention.of(Duration.ofHours(1)))
                .toCompletableFuture()
                .join();
        await().until(() -> replayed.get() == 1);
        assertQueueIsEmpty();
        assertThat(handled).isEmpty();
        // The broker counts deliveries, and drops what it has delivered too often.
        assertThat(deliveries).hasValue(1);
    }

    @Test
    void aMessageThatHasWaitedForLongIsGivenBack() throws Exception {
        send("taken", "k");
        claimElsewhere("k", "taken");
        AtomicInteger deliveries = new AtomicInteger();
        Inbox inbox = inboxThatHoldsNothing(0, (message, attempt) -> note(message));

        try (Channel channel = connection.createChannel()) {
            consume(channel, inbox, deliveries);
            await().until(() -> deliveries.get() >= 3);
            inbox.drain(Duration.ZERO);
        }
        assertThat(handled).isEmpty();
    }

    @Test
    void whatWasGivenBackBetweenItsTriesIsGivenUp() throws Exception {
        send("poison", "k");
        AtomicInteger deliveries = new AtomicInteger();
        Inbox inbox = inboxThatHoldsNothing(3, (message, attempt) -> {
            note(message);
            throw new NotExecutedException("not now", null);
        });

        try (Channel channel = connection.createChannel()) {
            consume(channel, inbox, deliveries);
            await().until(() -> !dead.isEmpty());
            inbox.drain(Duration.ofSeconds(60));
        }
        assertThat(deliveries).hasValue(3);
        assertThat(handled).hasSize(3);
        assertThat(dead.get(0).text()).contains("after 3 tries", "not now");
    }

    private Inbox inboxThatHoldsNothing(int maxAttempts, MessageHandler<Delivery> handler) {
        Semel semel = Semel.builder(store).build();
        open.add(semel);
        return new Inbox(
                Runnable::run,
                MessageGuard.builder(semel, HOLD, Handling.blocking(handler))
                        .maxAttempts(maxAttempts)
                        .build(),
                letter -> {
                    dead.add(letter);
                    return CompletableFuture.completedStage(null);
                },
                HOLD.operation(),
                new Backoff(Duration.ofMillis(10), Duration.ofMillis(50)),
                Duration.ZERO,
                failure -> {
                    throw new AssertionError(failure);
                });
    }

    private void consume(Channel channel, Inbox inbox, AtomicInteger deliveries) throws IOException {
        channel.basicConsume(
                queue,
                false,
                (consumer, message) -> {
                    deliveries.incrementAndGet();
                    inbox.take(channel, message, Key.of(queue, "k"), null);
                },
                consumer -> {});
    }

    private Claim.Acquired claimElsewhere(String key, String body) {
        return (Claim.Acquired) store.claim(ClaimRequest.builder(
                                Key.of(queue, key),
                                "ship",
                                Fingerprint.of(1, body.getBytes(StandardCharsets.UTF_8))
                                        .forOperation("ship"))
                        .lease(Duration.ofSeconds(30))
                        .takeOver(true)
                        .build())
                .toCompletableFuture()
                .join();
    }

    @Test
    void aMessageWhoseConsumerDiedIsNotHandledAgain() throws Exception {
        send("lost", "x");
        claimElsewhere("x", "lost");
        clock.advance(Duration.ofMinutes(1));

        started(consumer().deadLetterUnknown().handle((message, attempt) -> note(message)));

        await().until(() -> !dead.isEmpty());
        assertQueueIsEmpty();
        assertThat(handled).isEmpty();
        assertThat(dead).extracting(DeadLetter::reason).containsExactly(MessageVerdict.Reason.UNKNOWN);
    }

    @Test
    void aFailureGoesToTheDeadLetterExchangeWithTheReason() throws Exception {
        String deadQueue = TestBroker.newQueue(connection);
        send("bad", "k");

        started(consumer()
                .deadLetters(DeadLetterExchange.of(publisher, "", deadQueue))
                .handle((message, attempt) -> {
                    throw new IllegalStateException("no such address");
                }));

        awaitSettled("k", KeyState.FAILED);
        List<GetResponse> letters = new ArrayList<>();
        await().until(() -> {
            GetResponse letter = TestBroker.get(connection, deadQueue);
            if (letter != null) {
                letters.add(letter);
            }
            return !letters.isEmpty();
        });
        assertThat(letters.get(0).getBody()).asString().isEqualTo("bad");
        assertThat(letters.get(0).getProps().getMessageId()).isEqualTo("k");
        Map<String, Object> headers = letters.get(0).getProps().getHeaders();
        assertThat(headers.get("semel-reason")).hasToString("FAILED");
        assertThat(headers.get("semel-message")).hasToString("no such address");
        assertThat(headers.get("semel-key"))
                .hasToString(Key.of(queue, "k").digest().toString());
        assertQueueIsEmpty();
    }

    @Test
    void whatIsNeverExecutedIsGivenUpWhereAskedFor() throws Exception {
        send("poison", "k");

        started(consumer().maxAttempts(3).handle((message, attempt) -> {
            note(message);
            throw new NotExecutedException("not now", null);
        }));

        await().until(() -> !dead.isEmpty());
        assertQueueIsEmpty();
        assertThat(handled).hasSize(3);
        assertThat(dead.get(0).text()).contains("after 3 tries", "not now");
    }

    @Test
    void aMessageThatIsRejectedAfterAStepIsDead() throws Exception {
        send("bad", "k");
        try (HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 4);
                JdbcKeyStore keys = JdbcKeyStore.builder(pool).createIfMissing().build();
                Semel semel = Semel.builder(keys).build();
                RabbitConsumer consumer = consumer(connection, semel)
                        .policy(Policy.transactional("ship")
                                .lease(Duration.ofSeconds(1))
                                .build())
                        .handleIn(JdbcTransactions.of(pool), (message, attempt, transaction) -> {
                            note(message);
                            attempt.step("charge", Codec.text(), () -> "charged");
                            throw new MessageRejectedException("no such address", null);
                        })) {
            await().until(() -> !dead.isEmpty());
            assertThat(consumer).isNotNull();
        }

        assertThat(handled).containsExactly("bad");
        assertThat(dead).extracting(DeadLetter::text).containsExactly("no such address");
        assertQueueIsEmpty();
    }

    @Test
    void aMessageWithoutAKeyIsADeadLetter() throws Exception {
        started(consumer().key(RabbitKeyExtractor.header("x")).handle((message, attempt) -> note(message)));
        send("no key", "k");

        await().until(() -> !dead.isEmpty());
        assertThat(dead.get(0).text()).contains("no idempotency key");
        assertThat(handled).isEmpty();
    }

    @Test
    void keepsTheOrderWithOneMessageInFlight() throws Exception {
        String[] bodies = IntStream.range(0, 30).mapToObj(i -> "m" + i).toArray(String[]::new);
        for (String body : bodies) {
            send(body, body);
        }
        AtomicInteger failures = new AtomicInteger();

        started(consumer().inFlight(1).handle((message, attempt) -> {
            if (failures.incrementAndGet() % 7 == 0) {
                throw new NotExecutedException("not now", null);
            }
            note(message);
        }));

        await().until(() -> handled.size() == bodies.length);
        assertThat(handled).containsExactly(bodies);
    }

    @Test
    void consumesOnAnotherChannelWhenTheBrokerHasClosedItsOwn() throws Exception {
        List<Channel> channels = new CopyOnWriteArrayList<>();
        Connection watched = watched(Connection.class, connection, (none, result) -> {
            if (result instanceof Channel channel) {
                channels.add(channel);
            }
            return result;
        });
        started(consumer(watched).handle((message, attempt) -> note(message)));
        send("before", "b");
        await().until(() -> handled.equals(List.of("before")));

        assertThatThrownBy(() -> channels.get(0).queueDeclarePassive("no-such-queue"))
                .isInstanceOf(IOException.class);
        send("after", "a");

        await().until(() -> handled.equals(List.of("before", "after")));
        assertThat(channels).hasSize(2);
        awaitSettled("a", KeyState.SUCCEEDED);
        assertQueueIsEmpty();
    }

    @Test
    void consumesOnAnotherChannelWhenTheBrokerHasCancelledTheConsumer() throws Exception {
        List<CancelCallback> consumers = new CopyOnWriteArrayList<>();
        Connection watched = watched(
                Connection.class,
                connection,
                (none, result) -> result instanceof Channel channel
                        ? watched(Channel.class, channel, (arguments, consuming) -> {
                            Stream.of(arguments)
                                    .filter(CancelCallback.class::isInstance)
                                    .forEach(callback -> consumers.add((CancelCallback) callback));
                            return consuming;
                        })
                        : result);
        started(consumer(watched).handle((message, attempt) -> note(message)));

        // As a broker does when the queue moves to another node; this one never does it by itself.
        consumers.get(0).handle("consumer");

        await().until(() -> consumers.size() == 2);
        send("after", "a");
        await().until(() -> handled.equals(List.of("after")));
        awaitSettled("a", KeyState.SUCCEEDED);
        assertQueueIsEmpty();
    }

    /** The same thing, and somebody who sees the arguments and the result of each call and may change the result. */
    private static <T> T watched(Class<T> type, T target, BiFunction<Object[], Object, Object> watcher) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                    Object[] arguments = given == null ? new Object[0] : given;
                    try {
                        return watcher.apply(arguments, method.invoke(target, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
