package dev.semel.rabbitmq;

import com.rabbitmq.client.Delivery;
import java.util.Map;
import java.util.Optional;

/** Finds the key of a message's operation. A message without a key goes to the dead letters. */
@FunctionalInterface
public interface RabbitKeyExtractor {

    Optional<String> keyOf(Delivery message);

    /** Uses another extractor if this one finds no key. */
    default RabbitKeyExtractor orElse(RabbitKeyExtractor other) {
        return message -> keyOf(message).or(() -> other.keyOf(message));
    }

    /** The property {@code message-id}, which {@link ConfirmingPublisher} and the outbox set. */
    static RabbitKeyExtractor messageId() {
        return message -> Optional.ofNullable(message.getProperties().getMessageId());
    }

    /** The value of a header, as text. */
    static RabbitKeyExtractor header(String name) {
        return message -> {
            Map<String, Object> headers = message.getProperties().getHeaders();
            return headers == null
                    ? Optional.empty()
                    : Optional.ofNullable(headers.get(name)).map(Object::toString);
        };
    }
}
