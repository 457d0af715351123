package dev.semel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.messaging.Backoff;
import dev.semel.policy.Policy;
import dev.semel.testservers.TestBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** The broker is restarted while messages are sent and handled: each has one effect, and nothing is lost. */
class RestartTest {

    private static final int MESSAGES = 120;

    @Test
    void survivesARestartOfTheBroker() throws Exception {
        Map<String, Integer> effects = new ConcurrentHashMap<>();
        try (TestBroker broker = TestBroker.durable();
                Semel semel = Semel.builder(InMemoryKeyStore.builder().build()).build();
                Connection connection = broker.open();
                ConfirmingPublisher publisher = ConfirmingPublisher.open(connection)) {
            String queue = TestBroker.newQueue(connection);
            try (RabbitConsumer consumer = RabbitConsumer.builder(semel, connection, queue)
                    .policy(Policy.external("ship").build())
                    .inFlight(10)
                    .backoff(new Backoff(Duration.ofMillis(10), Duration.ofMillis(50)))
                    .deadLetters(letter -> CompletableFuture.failedStage(new IllegalStateException(letter.text())))
                    .handle((message, attempt) ->
                            effects.merge(new String(message.getBody(), StandardCharsets.UTF_8), 1, Integer::sum))) {
                assertThat(consumer).isNotNull();
                for (int i = 0; i < MESSAGES; i++) {
                    send(publisher, queue, "m" + i);
                    if (i == MESSAGES / 2) {
                        await().until(() -> effects.size() > MESSAGES / 10);
                        broker.shutDown();
                        broker.startUp();
                    }
                }

                await().atMost(Duration.ofSeconds(60)).until(() -> effects.size() == MESSAGES);
            }
            assertThat(effects).allSatisfy((message, times) -> assertThat(times).isOne());
            try (Channel channel = connection.createChannel()) {
                assertThat(channel.queueDeclarePassive(queue).getMessageCount()).isZero();
            }
        }
    }

    /** As a producer does that does not know whether its message arrived: again, with the same id. */
    private static void send(ConfirmingPublisher publisher, String queue, String id) {
        await().pollDelay(Duration.ZERO).atMost(Duration.ofSeconds(60)).until(() -> {
            try {
                publisher
                        .publish(
                                "",
                                queue,
                                new BasicProperties.Builder().messageId(id).build(),
                                id.getBytes(StandardCharsets.UTF_8))
                        .toCompletableFuture()
                        .get();
                return true;
            } catch (ExecutionException e) {
                assertThat(e.getCause()).isInstanceOfAny(ShutdownSignalException.class, IOException.class);
                return false;
            }
        });
    }
}
