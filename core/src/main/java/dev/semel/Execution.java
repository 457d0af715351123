package dev.semel;

import java.time.Duration;
import java.time.Instant;

/** How a {@link Call} ended. */
public sealed interface Execution<T> extends KeyClaim<T> {

    /**
     * The value, from this run or from a replay. Throws {@link NoValueException} if there is none, and whatever the
     * replay of a stored failure throws.
     */
    default T get() {
        throw new NoValueException(this);
    }

    /** How durably the outcome of an operation that ran in this call is stored. */
    enum Durability {
        /** The outcome is stored: every retry gets it. */
        STORED,
        /** The operation was refused before it executed. Nothing is stored, and a retry may run it. */
        NOT_EXECUTED,
        /**
         * The store has not confirmed the outcome yet, and Semel keeps trying. A retry may find the outcome, or a
         * lapsed key.
         */
        NOT_CONFIRMED,
        /** The store was down, and the policy let the operation run without protection. A retry may run it again. */
        UNPROTECTED
    }

    /** The operation ran, in this call. */
    final class Executed<T> implements Execution<T> {

        private final T value;
        private final Outcome outcome;
        private final int attempt;
        private final Durability durability;

        public Executed(T value, Outcome outcome, int attempt, Durability durability) {
            this.value = value;
            this.outcome = outcome;
            this.attempt = attempt;
            this.durability = durability;
        }

        public T value() {
            return value;
        }

        public Outcome outcome() {
            return outcome;
        }

        /**
         * The number of the attempt: 1 unless it ran again after an owner died; 0 if it ran unprotected, where attempts
         * are not counted.
         */
        public int attempt() {
            return attempt;
        }

        public Durability durability() {
            return durability;
        }

        /** Whether the outcome is known to be stored. */
        public boolean isStored() {
            return durability == Durability.STORED;
        }

        @Override
        public T get() {
            return value;
        }

        @Override
        public String toString() {
            return "Executed[" + outcome + ", attempt " + attempt + ", " + durability + "]";
        }
    }

    /** The operation had ended before; this is its stored outcome. */
    final class Replayed<T> implements Execution<T> {

        private final Outcome outcome;
        private final Instant settledAt;
        private final Instant expiresAt;
        private final OutcomeCodec<T> codec;

        public Replayed(Outcome outcome, Instant settledAt, Instant expiresAt, OutcomeCodec<T> codec) {
            this.outcome = outcome;
            this.settledAt = settledAt;
            this.expiresAt = expiresAt;
            this.codec = codec;
        }

        public Outcome outcome() {
            return outcome;
        }

        public Instant settledAt() {
            return settledAt;
        }

        public Instant expiresAt() {
            return expiresAt;
        }

        /** The stored value. If the outcome is a failure, throws the exception that the codec creates for it. */
        public T value() {
            return codec.decode(outcome);
        }

        @Override
        public T get() {
            return value();
        }

        @Override
        public String toString() {
            return "Replayed[" + outcome + ", settled at " + settledAt + ", expires at " + expiresAt + "]";
        }
    }

    /** The operation is being run by another request. Nothing was run in this call. */
    final class InFlight<T> implements Execution<T> {

        private final Duration age;
        private final Duration leaseLeft;

        public InFlight(Duration age, Duration leaseLeft) {
            this.age = age;
            this.leaseLeft = leaseLeft;
        }

        /** How long it has been running. */
        public Duration age() {
            return age;
        }

        /** How long its owner's lease lasts without another heartbeat. */
        public Duration leaseLeft() {
            return leaseLeft;
        }

        @Override
        public String toString() {
            return "InFlight[for " + age + ", lease left " + leaseLeft + "]";
        }
    }

    /**
     * This call owned the key, but lost its lease before the operation started or while it ran. Another attempt decides the
     * outcome: the outcome of this one is not stored, and its transaction is rolled back. Retry with the same key.
     */
    final class LeaseLost<T> implements Execution<T> {

        private final Duration age;
        private final Duration leaseLeft;

        public LeaseLost(Duration age, Duration leaseLeft) {
            this.age = age;
            this.leaseLeft = leaseLeft;
        }

        /** How long this call owned the key. */
        public Duration age() {
            return age;
        }

        /** How long the other attempt's lease lasts at most without another heartbeat. */
        public Duration leaseLeft() {
            return leaseLeft;
        }

        @Override
        public String toString() {
            return "LeaseLost[after " + age + "]";
        }
    }

    /** The key belongs to another request. Nothing was run. */
    final class Mismatched<T> implements Execution<T> {

        /** The key was first used for a different request. */
        public Mismatched() {}

        @Override
        public String toString() {
            return "Mismatched[]";
        }
    }

    /** An earlier attempt died and its outcome is unknown. Nothing was run. */
    final class Unknown<T> implements Execution<T> {

        /** The answer to a caller whose key has an unknown outcome. */
        public Unknown() {}

        @Override
        public String toString() {
            return "Unknown[]";
        }
    }

    /** The key was used, and has expired; it will not be run again. */
    final class Expired<T> implements Execution<T> {

        /** The answer to a caller whose key has expired. */
        public Expired() {}

        @Override
        public String toString() {
            return "Expired[]";
        }
    }
}
