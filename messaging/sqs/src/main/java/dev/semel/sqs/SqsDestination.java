package dev.semel.sqs;

import dev.semel.outbox.Delivery;
import dev.semel.outbox.Destination;
import dev.semel.outbox.OutboxMessage;
import dev.semel.outbox.UndeliverableException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * Sends messages of an outbox to a queue, with the key in the attribute {@code Idempotency-Key}.
 *
 * <p>For a FIFO queue, the key is the deduplication id, too, and the aggregate is the message group. The payload must be
 * text in UTF-8, because SQS carries nothing else.
 */
public final class SqsDestination implements Destination {

    private static final int MAX_DEDUPLICATION_ID = 128;

    private final SqsAsyncClient client;
    private final String queueUrl;

    private SqsDestination(SqsAsyncClient client, String queueUrl) {
        this.client = client;
        this.queueUrl = queueUrl;
    }

    public static SqsDestination of(SqsAsyncClient client, String queueUrl) {
        return new SqsDestination(client, queueUrl);
    }

    @Override
    public CompletionStage<?> deliver(Delivery delivery) {
        OutboxMessage message = delivery.message();
        Map<String, MessageAttributeValue> attributes = new HashMap<>();
        message.headers().forEach((name, value) -> attributes.put(name, Attributes.text(value)));
        if (message.contentType() != null) {
            attributes.put("content-type", Attributes.text(message.contentType()));
        }
        attributes.put(Delivery.KEY_HEADER, Attributes.text(delivery.key()));
        if (attributes.size() > Attributes.MAX) {
            throw new UndeliverableException(
                    "SQS takes at most " + Attributes.MAX + " attributes, got " + attributes.size(), null);
        }
        SendMessageRequest.Builder request = SendMessageRequest.builder()
                .queueUrl(queueUrl)
                .messageBody(body(message.payload()))
                .messageAttributes(attributes);
        if (queueUrl.endsWith(".fifo")) {
            request.messageGroupId(message.aggregate() == null ? delivery.key() : message.aggregate());
            if (delivery.key().length() <= MAX_DEDUPLICATION_ID) {
                request.messageDeduplicationId(delivery.key());
            } else {
                throw new UndeliverableException(
                        "a deduplication id has at most " + MAX_DEDUPLICATION_ID + " characters, the key has "
                                + delivery.key().length(),
                        null);
            }
        }
        return client.sendMessage(request.build());
    }

    private static String body(byte[] payload) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UndeliverableException("the payload is not text in UTF-8", e);
        }
    }
}
