package dev.semel.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.semel.outbox.Delivery;
import dev.semel.outbox.Destination;
import dev.semel.outbox.OutboxMessage;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Publishes messages of an outbox to an exchange, with the key as {@code message-id}. A message that no queue takes is tried
 * again: the queue may be declared later.
 */
public final class RabbitDestination implements Destination {

    private final ConfirmingPublisher publisher;
    private final String exchange;
    private final String routingKey;

    private RabbitDestination(ConfirmingPublisher publisher, String exchange, String routingKey) {
        this.publisher = publisher;
        this.exchange = exchange;
        this.routingKey = routingKey;
    }

    public static RabbitDestination of(ConfirmingPublisher publisher, String exchange, String routingKey) {
        return new RabbitDestination(publisher, exchange, routingKey);
    }

    @Override
    public CompletionStage<?> deliver(Delivery delivery) {
        OutboxMessage message = delivery.message();
        Map<String, Object> headers = new HashMap<>(message.headers());
        BasicProperties properties = new BasicProperties.Builder()
                .messageId(delivery.key())
                .contentType(message.contentType())
                .headers(headers)
                .build();
        return publisher.publish(exchange, routingKey, properties, message.payload());
    }
}
