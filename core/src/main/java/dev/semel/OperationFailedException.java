package dev.semel;

import java.nio.charset.StandardCharsets;

/** The operation had already failed when this request arrived; this is its stored failure. */
public final class OperationFailedException extends SemelException {

    private static final long serialVersionUID = 1L;
    private static final String CONTENT_TYPE = "application/vnd.semel.failure";
    private static final int MAX_MESSAGE = 4096;

    private final String type;

    public OperationFailedException(String type, String message) {
        super(message, null);
        this.type = type;
    }

    /**
     * The stored failure for an exception of the application. If its message cannot be read, a text that says so is
     * stored instead.
     */
    static OperationFailedException of(Throwable failure) {
        String message;
        try {
            message = String.valueOf(failure.getMessage());
        } catch (Throwable e) {
            message = "its message cannot be read: " + e.getClass().getName();
        }
        return new OperationFailedException(
                failure.getClass().getName(), message.substring(0, Math.min(message.length(), MAX_MESSAGE)));
    }

    /** Reads the outcome that {@link #toOutcome} returns. */
    static OperationFailedException of(Outcome outcome) {
        byte[] payload = outcome.payload();
        if (payload == null || !CONTENT_TYPE.equals(outcome.contentType())) {
            return new OperationFailedException("unknown", "the operation failed: " + outcome);
        }
        String[] parts = new String(payload, StandardCharsets.UTF_8).split("\n", 2);
        return new OperationFailedException(parts[0], parts.length > 1 ? parts[1] : "");
    }

    /** A stored failure is a definite answer, even for an enclosing operation. */
    @Override
    boolean isIndeterminate() {
        return false;
    }

    /** The outcome that replays as this failure: the class name and the message, on one line each. */
    public Outcome toOutcome() {
        return Outcome.failed()
                .contentType(CONTENT_TYPE)
                .payload(type + "\n" + getMessage())
                .build();
    }

    /** The class name of the original exception. */
    public String type() {
        return type;
    }
}
