package dev.semel.torture.broker;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import dev.semel.messaging.Backoff;
import dev.semel.rabbitmq.ConfirmingPublisher;
import dev.semel.rabbitmq.DeadLetterExchange;
import dev.semel.rabbitmq.RabbitConsumer;
import dev.semel.rabbitmq.RabbitKeyExtractor;
import dev.semel.testservers.TestBroker;
import dev.semel.torture.service.ServiceRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A consumer of each queue, on one connection. */
record RabbitConsumers(Connection connection, List<RabbitConsumer> consumers) implements Consumers {

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(20), Duration.ofMillis(500));

    static RabbitConsumers start(String address, MessageService service) throws Exception {
        Connection connection = TestBroker.connect(Integer.parseInt(address));
        DeadLetterExchange dead = DeadLetterExchange.of(ConfirmingPublisher.open(connection), "", MessageQueue.DEAD);
        List<RabbitConsumer> consumers = new ArrayList<>();
        for (MessageQueue queue : service.queues()) {
            consumers.add(consumer(connection, service, queue, dead));
        }
        return new RabbitConsumers(connection, consumers);
    }

    private static RabbitConsumer consumer(
            Connection connection, MessageService service, MessageQueue queue, DeadLetterExchange dead)
            throws IOException {
        RabbitKeyExtractor sent = RabbitKeyExtractor.messageId();
        RabbitConsumer.Builder builder = RabbitConsumer.builder(service.semel(), connection, queue.name())
                // The broker gives a delivery no name that another delivery of the message has too.
                .key(message -> sent.keyOf(message)
                        .map(key -> service.key(key, UUID.randomUUID().toString())))
                .backoff(BACKOFF);
        service.configured(builder, queue, dead);
        return queue.operation().isTransactional()
                ? builder.handleIn(
                        service.transactions(),
                        (message, attempt, transaction) -> service.handle(request(message), attempt, transaction))
                : builder.handle((message, attempt) -> service.handle(request(message), attempt));
    }

    private static ServiceRequest request(Delivery message) {
        return ServiceRequest.read(
                name -> String.valueOf(message.getProperties().getHeaders().get(name)), message.getBody());
    }

    @Override
    public void close() throws IOException {
        for (RabbitConsumer consumer : consumers) {
            consumer.close();
        }
        connection.close();
    }
}
