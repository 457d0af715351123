package dev.semel.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import dev.semel.Key;
import dev.semel.Semel;
import dev.semel.messaging.Backoff;
import dev.semel.messaging.DeadLetter;
import dev.semel.policy.Policy;
import dev.semel.testkit.failures.ConsumerFailureContract;
import dev.semel.testkit.failures.FrontEnd;
import dev.semel.testservers.TestBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/** What each failure means to the key of a message. */
class RabbitFailuresTest extends ConsumerFailureContract {

    @Override
    protected FrontEnd frontEnd() {
        return FrontEnd.RABBITMQ;
    }

    @Override
    protected Consumer consumer(Semel semel, Policy policy, Executor executor, Handler handler) throws Exception {
        Connection connection = TestBroker.connect();
        ConfirmingPublisher publisher = ConfirmingPublisher.open(connection);
        String queue = TestBroker.newQueue(connection);
        List<DeadLetter<Delivery>> dead = new CopyOnWriteArrayList<>();
        RabbitConsumer.Builder builder = RabbitConsumer.builder(semel, connection, queue)
                .key(message -> {
                    if (new String(message.getBody(), StandardCharsets.UTF_8).equals(unreadable())) {
                        throw new IllegalArgumentException("garbage");
                    }
                    return RabbitKeyExtractor.messageId().keyOf(message);
                })
                .policy(policy)
                .backoff(new Backoff(Duration.ofMillis(10), Duration.ofMillis(50)))
                .drain(Duration.ofSeconds(60))
                .deadLetters(letter -> {
                    dead.add(letter);
                    return CompletableFuture.completedStage(null);
                });
        if (executor != null) {
            builder.executor(executor);
        }
        return new Consumer() {

            private RabbitConsumer consumer;

            @Override
            public void send(String key, String content) {
                publisher
                        .publish(
                                "",
                                queue,
                                new BasicProperties.Builder().messageId(key).build(),
                                content.getBytes(StandardCharsets.UTF_8))
                        .toCompletableFuture()
                        .join();
            }

            @Override
            public void start() throws Exception {
                consumer = builder.handle((message, attempt) -> handler.handle(attempt));
            }

            /** The broker has the message again, and nobody who takes it. */
            @Override
            public boolean hasEnded() throws Exception {
                return TestBroker.get(connection, queue) != null;
            }

            @Override
            public Key keyOf(String key) {
                return Key.of(queue, key);
            }

            @Override
            public int dead() {
                return dead.size();
            }

            @Override
            public void close() throws Exception {
                consumer.close();
                publisher.close();
                connection.close();
            }
        };
    }
}
