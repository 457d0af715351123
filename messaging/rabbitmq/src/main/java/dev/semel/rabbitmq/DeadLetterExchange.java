package dev.semel.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import dev.semel.messaging.DeadLetter;
import dev.semel.messaging.DeadLetters;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Publishes dead messages to an exchange, with their properties and headers, to which it adds {@code semel-reason},
 * {@code semel-exception}, {@code semel-message}, {@code semel-operation} and {@code semel-key} (the digest).
 *
 * <p>A dead-letter exchange of the broker's own would not know the reason, and where a queue has none, would lose the
 * message.
 */
public final class DeadLetterExchange implements DeadLetters<Delivery> {

    private final ConfirmingPublisher publisher;
    private final String exchange;
    private final String routingKey;

    private DeadLetterExchange(ConfirmingPublisher publisher, String exchange, String routingKey) {
        this.publisher = publisher;
        this.exchange = exchange;
        this.routingKey = routingKey;
    }

    /** Publishes with this routing key; the exchange {@code ""} with a queue's name leads to that queue. */
    public static DeadLetterExchange of(ConfirmingPublisher publisher, String exchange, String routingKey) {
        return new DeadLetterExchange(publisher, exchange, routingKey);
    }

    @Override
    public CompletionStage<?> send(DeadLetter<Delivery> letter) {
        BasicProperties properties = letter.message().getProperties();
        Map<String, Object> headers = new HashMap<>();
        if (properties.getHeaders() != null) {
            headers.putAll(properties.getHeaders());
        }
        headers.put("semel-reason", letter.reason().name());
        headers.put("semel-exception", letter.type());
        headers.put("semel-message", letter.text());
        headers.put("semel-operation", letter.operation());
        headers.put("semel-key", letter.digest().toString());
        BasicProperties explained = properties.builder().headers(headers).build();
        return publisher.publish(
                exchange, routingKey, explained, letter.message().getBody());
    }
}
