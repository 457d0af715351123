package dev.semel.messaging;

import dev.semel.KeyDigest;

/**
 * A message that will never be handled, with the reason.
 *
 * @param <M> the broker's own type of message
 */
public final class DeadLetter<M> {

    private final M message;
    private final String operation;
    private final KeyDigest digest;
    private final MessageVerdict.Dead verdict;

    private DeadLetter(M message, String operation, KeyDigest digest, MessageVerdict.Dead verdict) {
        this.message = message;
        this.operation = operation;
        this.digest = digest;
        this.verdict = verdict;
    }

    /** The letter for a message with this key, whose verdict says why it will never be handled. */
    public static <M> DeadLetter<M> of(M message, String operation, KeyDigest digest, MessageVerdict.Dead verdict) {
        return new DeadLetter<>(message, operation, digest, verdict);
    }

    /** The message as it was received, byte for byte. */
    public M message() {
        return message;
    }

    public String operation() {
        return operation;
    }

    /** The name of its key in the store. */
    public KeyDigest digest() {
        return digest;
    }

    public MessageVerdict.Reason reason() {
        return verdict.reason();
    }

    /** The class name of the exception that says why. */
    public String type() {
        return verdict.type();
    }

    /** The message of that exception. */
    public String text() {
        return verdict.message();
    }

    /** Does not show the message. */
    @Override
    public String toString() {
        return "dead letter of " + operation + " with key " + digest + ": " + reason();
    }
}
