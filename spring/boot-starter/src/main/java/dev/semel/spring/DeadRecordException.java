package dev.semel.spring;

import dev.semel.KeyDigest;
import dev.semel.SemelException;
import dev.semel.messaging.MessageVerdict;

/** The reason why a Kafka record will never be handled, for the dead-letter recoverer. */
public final class DeadRecordException extends SemelException {

    private static final long serialVersionUID = 1L;

    private final String operation;
    private final String digest;
    private final MessageVerdict.Reason reason;
    private final String type;

    /** Used by the starter, and by tests of a {@code ConsumerRecordRecoverer}. */
    public DeadRecordException(String operation, KeyDigest digest, MessageVerdict.Dead dead) {
        super(dead.message(), null);
        this.operation = operation;
        this.digest = digest.toString();
        this.reason = dead.reason();
        this.type = dead.type();
    }

    public String operation() {
        return operation;
    }

    /** The digest of the record's key in the store. */
    public String digest() {
        return digest;
    }

    public MessageVerdict.Reason reason() {
        return reason;
    }

    /** The class name of the exception in the stored outcome. */
    public String type() {
        return type;
    }
}
