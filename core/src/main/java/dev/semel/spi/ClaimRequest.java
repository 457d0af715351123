package dev.semel.spi;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.policy.Retention;
import dev.semel.util.Nonces;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The request of one attempt to own a key. */
public final class ClaimRequest {

    private final Builder parts;

    private ClaimRequest(Builder parts) {
        this.parts = parts;
    }

    /**
     * Starts building a request. By default it has a new nonce, a lease of 30 seconds and the default retention, and
     * does not take over a lapsed key.
     *
     * @param operation the operation's name, kept for people
     */
    public static Builder builder(Key key, String operation, Fingerprint fingerprint) {
        return new Builder(key, operation, fingerprint);
    }

    /** A builder with the settings of this request. The result is the same attempt unless you set another nonce. */
    public Builder toBuilder() {
        return new Builder(parts);
    }

    /** The same request, but it only gets its own claim again or a free key, never the key of another attempt. */
    public ClaimRequest withoutTakeOver() {
        return toBuilder().takeOver(false).build();
    }

    public Key key() {
        return parts.key;
    }

    /** The operation's name, kept for people. */
    public String operation() {
        return parts.operation;
    }

    public Fingerprint fingerprint() {
        return parts.fingerprint;
    }

    /** Made once per attempt; a claim that is sent again with the same nonce finds itself. */
    public UUID nonce() {
        return parts.nonce;
    }

    public Duration lease() {
        return parts.lease;
    }

    /**
     * The operation's retention. The store saves it with the claim, so that the key can be settled later without knowing the
     * policy, for example by an operator.
     */
    public Retention retention() {
        return parts.retention;
    }

    /** Whether a lapsed lease may be taken over; if not, a lapsed key is answered as unknown. */
    public boolean takeOver() {
        return parts.takeOver;
    }

    /** The trace that executes, then a space and a description of the request; stored for people, unchanged. */
    public @Nullable String traceId() {
        return parts.traceId;
    }

    @Override
    public String toString() {
        return "ClaimRequest[" + parts.operation + " " + parts.key + " " + parts.nonce + "]";
    }

    /** Builds a {@link ClaimRequest}. */
    public static final class Builder {

        private final Key key;
        private final String operation;
        private final Fingerprint fingerprint;
        private UUID nonce;
        private Duration lease = Duration.ofSeconds(30);
        private Retention retention = Retention.DEFAULT;
        private boolean takeOver;
        private @Nullable String traceId;

        private Builder(Key key, String operation, Fingerprint fingerprint) {
            this.key = key;
            this.operation = operation;
            this.fingerprint = fingerprint;
            this.nonce = Nonces.next();
        }

        private Builder(Builder other) {
            this.key = other.key;
            this.operation = other.operation;
            this.fingerprint = other.fingerprint;
            this.nonce = other.nonce;
            this.lease = other.lease;
            this.retention = other.retention;
            this.takeOver = other.takeOver;
            this.traceId = other.traceId;
        }

        public Builder nonce(UUID nonce) {
            this.nonce = nonce;
            return this;
        }

        public Builder lease(Duration lease) {
            this.lease = lease;
            return this;
        }

        public Builder retention(Retention retention) {
            this.retention = retention;
            return this;
        }

        public Builder takeOver(boolean takeOver) {
            this.takeOver = takeOver;
            return this;
        }

        public Builder traceId(@Nullable String traceId) {
            this.traceId = traceId;
            return this;
        }

        public ClaimRequest build() {
            return new ClaimRequest(new Builder(this));
        }
    }
}
