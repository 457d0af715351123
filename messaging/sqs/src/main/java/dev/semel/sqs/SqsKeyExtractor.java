package dev.semel.sqs;

import java.util.Optional;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** Finds the key of a message's operation. A message without a key goes to the dead letters. */
@FunctionalInterface
public interface SqsKeyExtractor {

    /** The attribute that the outbox sends, and that consumers look for by convention. */
    String ATTRIBUTE = "Idempotency-Key";

    Optional<String> keyOf(Message message);

    /** Uses another extractor if this one finds no key. */
    default SqsKeyExtractor orElse(SqsKeyExtractor other) {
        return message -> keyOf(message).or(() -> other.keyOf(message));
    }

    /**
     * The id that SQS gave the message. A message that is delivered again has the same id; a message that was sent
     * again has not.
     */
    static SqsKeyExtractor messageId() {
        return message -> Optional.of(message.messageId());
    }

    /** The value of a message attribute of type String. */
    static SqsKeyExtractor attribute(String name) {
        return message ->
                Optional.ofNullable(message.messageAttributes().get(name)).map(MessageAttributeValue::stringValue);
    }

    /** The deduplication id of a message in a FIFO queue. SQS itself only deduplicates for five minutes. */
    static SqsKeyExtractor deduplicationId() {
        return message ->
                Optional.ofNullable(message.attributes().get(MessageSystemAttributeName.MESSAGE_DEDUPLICATION_ID));
    }
}
