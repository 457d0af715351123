package dev.semel.spi;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.policy.Retention;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One attempt's wish to own a key.
 *
 * @param operation the operation's name, kept for people
 * @param nonce made once per attempt; a claim that is sent again with the same nonce finds itself
 * @param retention the operation's; the store keeps it with the key from the claim on, so that whoever settles the key later
 *     need not know it
 * @param takeOver whether a lapsed lease may be taken over; if not, a lapsed key is answered as unknown
 * @param traceId the trace that executes, kept for people
 */
public record ClaimRequest(
        Key key,
        String operation,
        Fingerprint fingerprint,
        UUID nonce,
        Duration lease,
        Retention retention,
        boolean takeOver,
        @Nullable String traceId) {

    /** A claim for an operation with the default retention. */
    public ClaimRequest(
            Key key,
            String operation,
            Fingerprint fingerprint,
            UUID nonce,
            Duration lease,
            boolean takeOver,
            @Nullable String traceId) {
        this(key, operation, fingerprint, nonce, lease, Retention.DEFAULT, takeOver, traceId);
    }

    /** The same attempt asking for its own claim again, or for a key that is free, but for nobody else's. */
    public ClaimRequest withoutTakeOver() {
        return new ClaimRequest(key, operation, fingerprint, nonce, lease, retention, false, traceId);
    }
}
