package dev.semel.client;

/** Thrown when a request has to be sent again, and its body is a stream that was already read. */
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
