package dev.semel.spring.failures;

import dev.semel.Execution;
import dev.semel.Key;
import dev.semel.LeaseLostException;
import dev.semel.NoValueException;
import dev.semel.OperationFailedException;
import dev.semel.store.StoreUnavailableException;
import java.time.Duration;

/** The failures of Semel itself that a handler can meet, and the problem that its caller then gets. */
enum Interruption {
    STORE_DOWN("store-unavailable", 503),
    WRAPPED("store-unavailable", 503),
    NESTED_IN_FLIGHT("outcome-unknown", 409),
    NESTED_UNKNOWN("outcome-unknown", 409),
    LEASE_LOST("outcome-unknown", 409);

    final String problem;
    final int status;

    Interruption(String problem, int status) {
        this.problem = problem;
        this.status = status;
    }

    RuntimeException exception() {
        return switch (this) {
            case STORE_DOWN -> new StoreUnavailableException("pulled the plug", null);
            case WRAPPED -> new IllegalStateException(new IllegalArgumentException(STORE_DOWN.exception()));
            case NESTED_IN_FLIGHT -> noValue(new Execution.InFlight<>(Duration.ZERO, Duration.ZERO));
            case NESTED_UNKNOWN -> noValue(new Execution.Unknown<>());
            case LEASE_LOST ->
                new IllegalStateException(
                        new LeaseLostException(Key.of("shop", "order").digest(), 1));
        };
    }

    /** A nested operation that has failed for good: this is an answer. */
    static RuntimeException definite() {
        return new OperationFailedException("java.lang.IllegalStateException", "declined");
    }

    private static RuntimeException noValue(Execution<?> execution) {
        try {
            execution.get();
        } catch (NoValueException e) {
            return e;
        }
        throw new IllegalStateException("this execution has a value");
    }
}
