package dev.semel.sqs;

import java.util.Optional;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** Finds the key of the operation that a message asks for. A message without one goes to the dead letters. */
@FunctionalInterface
public interface SqsKeyExtractor {

    /** The attribute that the outbox sends, and that consumers look for by convention. */
    String ATTRIBUTE = "Idempotency-Key";

    Optional<String> keyOf(Message message);

    /** Takes the key of another extractor where this one finds none. */
    default SqsKeyExtractor orElse(SqsKeyExtractor other) {
        return message -> keyOf(message).or(() -> other.keyOf(message));
    }

    /** The id that SQS gave the message: one that is delivered again is the same, one that was sent again is not. */
    static SqsKeyExtractor messageId() {
        return message -> Optional.of(message.messageId());
    }

    /** The value of a message attribute of type String. */
    static SqsKeyExtractor attribute(String name) {
        return message ->
                Optional.ofNullable(message.messageAttributes().get(name)).map(MessageAttributeValue::stringValue);
    }

    /** The deduplication id of a message of a FIFO queue, which SQS itself heeds for five minutes only. */
    static SqsKeyExtractor deduplicationId() {
        return message ->
                Optional.ofNullable(message.attributes().get(MessageSystemAttributeName.MESSAGE_DEDUPLICATION_ID));
    }
}
