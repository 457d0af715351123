package dev.semel.client;

/** A body that is a stream cannot be read a second time. */
public final class BodyNotRepeatableException extends IdempotentCallException {

    private static final long serialVersionUID = 1L;

    BodyNotRepeatableException(String operation) {
        super(
                "the body of " + operation
                        + " was given as a stream and has been read, so this operation cannot be sent"
                        + " again; give the body as bytes or text to be able to repeat it",
                null);
    }
}
