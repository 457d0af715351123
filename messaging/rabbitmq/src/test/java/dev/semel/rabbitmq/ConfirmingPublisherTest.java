package dev.semel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import dev.semel.outbox.OutboxMessage;
import dev.semel.testservers.TestBroker;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of messages on their way to a broker. */
class ConfirmingPublisherTest {

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
        publisher.close();
        connection.close();
    }

    @Test
    void goesOnAfterTheBrokerHasClosedItsChannel() {
        assertThatThrownBy(() -> publish("no-such-exchange", "", "k").join()).hasCauseInstanceOf(Exception.class);

        // What is published before the next channel is open fails, too.
        await().untilAsserted(() -> assertThat(publish("", queue, "k")).succeedsWithin(Duration.ofSeconds(30)));
    }

    @Test
    void tellsMessagesWithTheSameIdApart() {
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Void> lost = publish("", "no-such-queue", "same");
            CompletableFuture<Void> taken = publish("", queue, "same");

            assertThat(lost).failsWithin(Duration.ofSeconds(30));
            assertThat(taken).succeedsWithin(Duration.ofSeconds(30));
        }
    }

    private CompletableFuture<Void> publish(String exchange, String routingKey, String id) {
        return publisher
                .publish(
                        exchange,
                        routingKey,
                        new BasicProperties.Builder().messageId(id).build(),
                        new byte[0])
                .toCompletableFuture();
    }

    @Test
    void saysWhatHasNotArrived() {
        assertThatThrownBy(() -> publisher
                        .publish("", "no-such-queue", new BasicProperties(), new byte[0])
                        .toCompletableFuture()
                        .join())
                // RabbitMQ returns such a message, and other brokers refuse it.
                .cause()
                .isInstanceOfAny(UnroutableException.class, IOException.class);
    }

    @Test
    void messagesOfAnOutboxCarryTheirKeyAsMessageId() throws Exception {
        RabbitDestination destination = RabbitDestination.of(publisher, "", queue);
        OutboxMessage message =
                OutboxMessage.of("rabbit", "body").withKey("k-1").withHeader("trace", "t1");

        destination
                .deliver(dev.semel.outbox.Delivery.of(1, message, 1, Duration.ZERO))
                .toCompletableFuture()
                .join();

        GetResponse received = TestBroker.get(connection, queue);
        assertThat(received.getBody()).asString().isEqualTo("body");
        assertThat(received.getProps().getMessageId()).isEqualTo("k-1");
        assertThat(received.getProps().getDeliveryMode()).isEqualTo(2);
        assertThat(received.getProps().getHeaders().get("trace")).hasToString("t1");
    }
}
