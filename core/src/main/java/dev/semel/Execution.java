package dev.semel;

import java.time.Duration;
import java.time.Instant;

/** What became of a {@link Call}. */
public sealed interface Execution<T> {

    /**
     * The operation ran, in this call.
     *
     * @param attempt 1 unless it ran again after an owner died; 0 if it ran unprotected because the store was down
     * @param settled whether the outcome is known to be stored; if not, the key was released because the operation was
     *     refused before it executed, or the store has not confirmed the outcome yet
     */
    record Executed<T>(T value, Outcome outcome, int attempt, boolean settled) implements Execution<T> {}

    /** The operation had ended before; this is its stored outcome. */
    record Replayed<T>(Outcome outcome, Instant settledAt, Instant expiresAt, OutcomeCodec<T> codec)
            implements Execution<T> {

        public T value() {
            return codec.decode(outcome);
        }
    }

    /** The operation is being run by another request. */
    record InFlight<T>(Duration age, Duration leaseLeft) implements Execution<T> {}

    /** The key belongs to another request. Nothing was run. */
    record Mismatched<T>() implements Execution<T> {}

    /** An earlier attempt died and nobody knows what it did. Nothing was run. */
    record Unknown<T>() implements Execution<T> {}

    /** The key was used, and has expired; it will not be run again. */
    record Expired<T>() implements Execution<T> {}

    /** The value, run or replayed; throws {@link NoValueException} where there is none, and what a replay throws. */
    default T get() {
        if (this instanceof Executed<T> executed) {
            return executed.value();
        }
        if (this instanceof Replayed<T> replayed) {
            return replayed.value();
        }
        throw new NoValueException("no value: " + this, this);
    }
}
