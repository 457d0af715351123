package dev.semel;

/** An execution was asked for its value and has none: it is in flight, mismatched, unknown, expired, or failed. */
public final class NoValueException extends SemelException {

    private static final long serialVersionUID = 1L;

    private final transient Execution<?> execution;

    NoValueException(String message, Execution<?> execution) {
        super(message, null);
        this.execution = execution;
    }

    /** What the execution was instead. */
    public Execution<?> execution() {
        return execution;
    }
}
