package dev.semel;

/** An execution was asked for its value and has none. The message explains why, and what to do. */
public final class NoValueException extends SemelException {

    private static final long serialVersionUID = 1L;

    private final transient Execution<?> execution;

    NoValueException(Execution<?> execution) {
        super(message(execution), null);
        this.execution = execution;
    }

    private static String message(Execution<?> execution) {
        if (execution instanceof Execution.InFlight<?> inFlight) {
            return "another request is running the operation of this key, for " + inFlight.age()
                    + " so far; ask again later with the same key, or let duplicates wait with Duplicates.waitFor";
        }
        if (execution instanceof Execution.LeaseLost<?>) {
            return "this call lost its lease of the key, so that another attempt decides the outcome;"
                    + " ask again with the same key to get that";
        }
        if (execution instanceof Execution.Mismatched<?>) {
            return "this key was used for a different request, so nothing was run; use a new key for a new operation,"
                    + " and send a retry exactly as the first request was sent";
        }
        if (execution instanceof Execution.Unknown<?>) {
            return "an earlier attempt of this key was interrupted and its outcome is unknown, so nothing was run;"
                    + " find out what it did, then resolve the key, or give the operation a Reconciler";
        }
        return "this key was used before and its outcome has expired, so nothing was run;"
                + " use a new key for a new operation";
    }

    /** The execution that has no value. */
    public Execution<?> execution() {
        return execution;
    }
}
