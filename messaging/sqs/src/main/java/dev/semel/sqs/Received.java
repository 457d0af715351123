package dev.semel.sqs;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.messaging.MessageGuard;
import dev.semel.messaging.MessageRejectedException;
import dev.semel.messaging.Turn;
import dev.semel.messaging.Verdict;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** A message that was received, until it is deleted or left to come again. */
final class Received {

    final Message message;
    final Key key;
    private final Fingerprint fingerprint;
    private volatile @Nullable MessageRejectedException rejection;

    Received(Message message, Key key, @Nullable MessageRejectedException rejection) {
        this.message = message;
        this.key = key;
        this.fingerprint = Fingerprint.of(message.body());
        this.rejection = rejection;
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

    CompletionStage<Verdict> offer(MessageGuard<Message> guard) {
        MessageRejectedException why = rejection;
        return why == null ? guard.offer(key, fingerprint, message, Turn.NOW) : guard.reject(key, fingerprint, why);
    }

    boolean isRejected() {
        return rejection != null;
    }

    /** What its handler has rejected is not handled again. */
    void heed(@Nullable MessageRejectedException why) {
        if (why != null) {
            rejection = why;
        }
    }

    void giveUp(@Nullable Throwable last) {
        rejection = new MessageRejectedException("given up after " + count() + " tries, the last: " + last, last);
    }

    @Override
    public String toString() {
        return "message " + message.messageId() + " (key " + key + ")";
    }
}
