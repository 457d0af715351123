package dev.semel;

/** The operation had already failed when this request arrived; this is its stored failure. */
public final class OperationFailedException extends SemelException {

    private static final long serialVersionUID = 1L;

    private final String type;

    public OperationFailedException(String type, String message) {
        super(message, null);
        this.type = type;
    }

    /** A stored failure is a definite answer, also to an operation that asked for it. */
    @Override
    boolean isIndeterminate() {
        return false;
    }

    /** The outcome that replays as this failure. */
    public Outcome toOutcome() {
        return StoredFailure.of(type, String.valueOf(getMessage()));
    }

    /** The class name of the original exception. */
    public String type() {
        return type;
    }
}
