package dev.semel.messaging;

import dev.semel.NotExecutedException;

/** Releases the key of a message that cannot be read. */
final class UnreadableException extends NotExecutedException {

    private static final long serialVersionUID = 1L;

    UnreadableException(MessageRejectedException why) {
        super(String.valueOf(why.getMessage()), why);
    }

    MessageVerdict verdict() {
        return new MessageVerdict.Dead(
                MessageVerdict.Reason.UNREADABLE,
                MessageRejectedException.class.getName(),
                String.valueOf(getMessage()));
    }
}
