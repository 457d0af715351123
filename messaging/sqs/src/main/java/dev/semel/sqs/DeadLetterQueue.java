package dev.semel.sqs;

import dev.semel.messaging.DeadLetter;
import dev.semel.messaging.DeadLetters;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * Sends dead messages to a queue, with their attributes, to which it adds {@code semel-reason}, {@code semel-exception},
 * {@code semel-message} and {@code semel-key} (the digest), as far as the limit of ten attributes allows.
 */
public final class DeadLetterQueue implements DeadLetters<Message> {

    private static final int MAX_TEXT = 4_096;

    private final SqsAsyncClient client;
    private final String queueUrl;

    private DeadLetterQueue(SqsAsyncClient client, String queueUrl) {
        this.client = client;
        this.queueUrl = queueUrl;
    }

    public static DeadLetterQueue of(SqsAsyncClient client, String queueUrl) {
        return new DeadLetterQueue(client, queueUrl);
    }

    @Override
    public CompletionStage<?> send(DeadLetter<Message> letter) {
        Message message = letter.message();
        Map<String, MessageAttributeValue> attributes = new HashMap<>(message.messageAttributes());
        put(attributes, "semel-reason", letter.reason().name());
        put(attributes, "semel-key", letter.digest().toString());
        put(attributes, "semel-exception", letter.type());
        put(attributes, "semel-message", letter.text());
        SendMessageRequest.Builder request = SendMessageRequest.builder()
                .queueUrl(queueUrl)
                .messageBody(message.body())
                .messageAttributes(attributes);
        String group = message.attributes().get(MessageSystemAttributeName.MESSAGE_GROUP_ID);
        if (queueUrl.endsWith(".fifo")) {
            request.messageGroupId(group == null ? message.messageId() : group)
                    .messageDeduplicationId(message.messageId());
        }
        return client.sendMessage(request.build());
    }

    private static void put(Map<String, MessageAttributeValue> attributes, String name, String value) {
        if (attributes.size() == Attributes.MAX && !attributes.containsKey(name)) {
            return;
        }
        String text = value.isEmpty() ? "-" : value.substring(0, Math.min(value.length(), MAX_TEXT));
        attributes.put(name, Attributes.text(text));
    }
}
