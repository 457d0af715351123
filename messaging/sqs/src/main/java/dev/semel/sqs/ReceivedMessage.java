package dev.semel.sqs;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.messaging.MessageGuard;
import dev.semel.messaging.MessageRejectedException;
import dev.semel.messaging.MessageVerdict;
import dev.semel.messaging.Turn;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** A message that was received, until it is deleted or left to come again. */
final class ReceivedMessage {

    final Message message;
    final Key key;
    private final Fingerprint fingerprint;
    private final @Nullable MessageRejectedException unreadable;

    /**
     * Makes one.
     *
     * @param unreadable why it has no key of its own, if it has none
     */
    ReceivedMessage(Message message, Key key, @Nullable MessageRejectedException unreadable) {
        this.message = message;
        this.key = key;
        this.fingerprint = Fingerprint.of(message.body());
        this.unreadable = unreadable;
    }

    /** How often it was received, this time included. */
    int count() {
        String count = message.attributes().get(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT);
        return count == null ? 1 : Integer.parseInt(count);
    }

    @Nullable
    String group() {
        return message.attributes().get(MessageSystemAttributeName.MESSAGE_GROUP_ID);
    }

    CompletionStage<MessageVerdict> offer(MessageGuard<Message> guard) {
        return unreadable == null
                ? guard.offer(key, fingerprint, message, Turn.NOW)
                : guard.unreadable(key, fingerprint, unreadable);
    }

    @Override
    public String toString() {
        return "message " + message.messageId() + " (key " + key + ")";
    }
}
