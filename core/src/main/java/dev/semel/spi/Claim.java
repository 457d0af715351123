package dev.semel.spi;

import dev.semel.Outcome;
import dev.semel.util.TraceText;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The store's answer to a {@link ClaimRequest}. Times are those of the store's clock. */
public sealed interface Claim {

    /** The attempt owns the key. {@code steps} are the results that earlier attempts have recorded. */
    record Acquired(Lease lease, Map<String, byte[]> steps) implements Claim {}

    /**
     * Another attempt owns the key, since {@code age}, for {@code leaseLeft} unless it renews. If nothing is left of the lease,
     * the key is in use at this moment, for example by another attempt or by the store's own maintenance, and can be
     * claimed again.
     */
    record InFlight(Duration age, Duration leaseLeft) implements Claim {}

    /** The key has an outcome. */
    final class Settled implements Claim {

        private final Outcome outcome;
        private final Instant settledAt;
        private final Instant expiresAt;
        private final long token;
        private final @Nullable String traceId;

        private Settled(Builder builder) {
            this.outcome = builder.outcome;
            this.settledAt = builder.settledAt;
            this.expiresAt = builder.expiresAt;
            this.token = builder.token;
            this.traceId = builder.traceId;
        }

        /** Starts building the answer, with the outcome that the attempt with this token has stored. */
        public static Builder builder(Outcome outcome, Instant settledAt, Instant expiresAt, long token) {
            return new Builder(outcome, settledAt, expiresAt, token);
        }

        /** The same answer with another outcome. */
        public Settled withOutcome(Outcome other) {
            return builder(other, settledAt, expiresAt, token).traceId(traceId).build();
        }

        public Outcome outcome() {
            return outcome;
        }

        public long token() {
            return token;
        }

        public Instant settledAt() {
            return settledAt;
        }

        public Instant expiresAt() {
            return expiresAt;
        }

        /** The trace that executed, from its {@link ClaimRequest}. */
        public @Nullable String traceId() {
            return TraceText.traceId(traceId);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Settled that
                    && outcome.equals(that.outcome)
                    && token == that.token
                    && settledAt.equals(that.settledAt)
                    && expiresAt.equals(that.expiresAt)
                    && Objects.equals(traceId, that.traceId);
        }

        @Override
        public int hashCode() {
            return Objects.hash(outcome, token, settledAt, expiresAt, traceId);
        }

        @Override
        public String toString() {
            return "Settled[" + outcome + " token=" + token + " settledAt=" + settledAt + " expiresAt=" + expiresAt
                    + "]";
        }

        /** Builds a {@link Settled}. */
        public static final class Builder {

            private final Outcome outcome;
            private final Instant settledAt;
            private final Instant expiresAt;
            private final long token;
            private @Nullable String traceId;

            private Builder(Outcome outcome, Instant settledAt, Instant expiresAt, long token) {
                this.outcome = outcome;
                this.settledAt = settledAt;
                this.expiresAt = expiresAt;
                this.token = token;
            }

            public Builder traceId(@Nullable String traceId) {
                this.traceId = traceId;
                return this;
            }

            public Settled build() {
                return new Settled(this);
            }
        }
    }

    /** The key is live with another fingerprint. Nothing else about it is revealed. */
    record Mismatch() implements Claim {}

    /** The owner died and the outcome is unknown. */
    record Unknown() implements Claim {}

    /** The key has expired, and its retention asks for a tombstone instead of reuse. */
    record Expired() implements Claim {}
}
