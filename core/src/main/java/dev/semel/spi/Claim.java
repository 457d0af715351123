package dev.semel.spi;

import dev.semel.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The store's answer to a {@link ClaimRequest}. Times are those of the store's clock. */
public sealed interface Claim {

    /** The attempt owns the key; {@code steps} are what earlier attempts have recorded. */
    record Acquired(Lease lease, Map<String, byte[]> steps) implements Claim {}

    /**
     * Another attempt owns the key, since {@code age}, for {@code leaseLeft} unless it renews. If nothing is left of the lease,
     * the key is in somebody's hands for this moment, such as those of another attempt or of the store's own maintenance, and
     * can be asked for again.
     */
    record InFlight(Duration age, Duration leaseLeft) implements Claim {}

    /**
     * The key has an outcome, stored by the attempt with this token.
     *
     * @param traceId the trace that executed, from its {@link ClaimRequest}
     */
    record Settled(
            Outcome outcome,
            Instant settledAt,
            Instant expiresAt,
            long token,
            @Nullable String traceId) implements Claim {}

    /** The key is live with another fingerprint. Nothing else is said of it. */
    record Mismatch() implements Claim {}

    /** The owner died and nobody knows what happened. */
    record Unknown() implements Claim {}

    /** The key has expired, and its retention asks for a tombstone instead of reuse. */
    record Expired() implements Claim {}
}
