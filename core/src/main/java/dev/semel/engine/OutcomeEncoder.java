package dev.semel.engine;

import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.policy.Policy;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the outcomes that are stored for an operation, with its policy and codec. Code of the application may fail
 * here; but the operation has run by then, and a failing codec or predicate must not lose that fact.
 */
public record OutcomeEncoder<T>(Policy policy, OutcomeCodec<T> codec) {

    private static final Logger log = LoggerFactory.getLogger(Events.LOGGER);

    /** The outcome of a value, without payload if it is too large to keep or cannot be encoded. */
    Outcome encode(T value) {
        try {
            return withinLimit(codec.encode(value));
        } catch (Throwable e) {
            log.error("operation {} ran, but its result cannot be encoded: it is kept without payload", name(), e);
            return Outcome.succeeded().payload((byte[]) null).build();
        }
    }

    Outcome encodeFailure(Throwable failure) {
        try {
            return withinLimit(codec.encodeFailure(failure));
        } catch (Throwable e) {
            log.error("operation {} failed, and its failure cannot be encoded", name(), e);
            return OutcomeCodec.identity().encodeFailure(failure);
        }
    }

    boolean isRefused(Outcome outcome) {
        return guarded("refused", () -> policy.refused().test(outcome));
    }

    boolean meansNotExecuted(Throwable failure) {
        return guarded("notExecuted", () -> policy.meansNotExecuted(failure));
    }

    private boolean guarded(String predicate, BooleanSupplier test) {
        try {
            return test.getAsBoolean();
        } catch (Throwable e) {
            log.error("the predicate {} of operation {} failed: the outcome is kept", predicate, name(), e);
            return false;
        }
    }

    private Outcome withinLimit(Outcome outcome) {
        Objects.requireNonNull(outcome, "the codec returned no outcome");
        byte[] payload = outcome.payload();
        return payload != null && payload.length > policy.maxPayload() ? outcome.withoutPayload() : outcome;
    }

    private String name() {
        return policy.operation();
    }
}
