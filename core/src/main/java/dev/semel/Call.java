package dev.semel;

import dev.semel.policy.Duplicates;
import org.jspecify.annotations.Nullable;

/** One request to run an operation under a key, with what may differ from request to request. */
public final class Call {

    private final Key key;
    private final Fingerprint fingerprint;
    private final @Nullable String traceId;
    private final @Nullable Duplicates duplicates;
    private final Runnable onWait;
    private final boolean runsAfterWaiting;

    private Call(Builder builder) {
        this.key = builder.key;
        this.fingerprint = builder.fingerprint;
        this.traceId = builder.traceId;
        this.duplicates = builder.duplicates;
        this.onWait = builder.onWait;
        this.runsAfterWaiting = builder.runsAfterWaiting;
    }

    /** A call that adds nothing to its key and fingerprint. */
    public static Call of(Key key, Fingerprint fingerprint) {
        return builder(key, fingerprint).build();
    }

    public static Builder builder(Key key, Fingerprint fingerprint) {
        return new Builder(key, fingerprint);
    }

    public Key key() {
        return key;
    }

    public Fingerprint fingerprint() {
        return fingerprint;
    }

    /** The trace that this request belongs to, kept with the key for people. */
    public @Nullable String traceId() {
        return traceId;
    }

    /** How this call is answered while another one is in flight; {@code null} if the policy decides. */
    public @Nullable Duplicates duplicates() {
        return duplicates;
    }

    /** Runs when the call begins to wait for the outcome of another. */
    public Runnable onWait() {
        return onWait;
    }

    /** Whether the operation can still be run when the call has waited. */
    public boolean runsAfterWaiting() {
        return runsAfterWaiting;
    }

    @Override
    public String toString() {
        return "Call[" + key + "]";
    }

    /** Makes a {@link Call}. */
    public static final class Builder {

        private final Key key;
        private final Fingerprint fingerprint;
        private @Nullable String traceId;
        private @Nullable Duplicates duplicates;
        private Runnable onWait = () -> {};
        private boolean runsAfterWaiting = true;

        private Builder(Key key, Fingerprint fingerprint) {
            this.key = key;
            this.fingerprint = fingerprint;
        }

        public Builder traceId(@Nullable String traceId) {
            this.traceId = traceId;
            return this;
        }

        /** Answers this call in another way than the policy says while the operation is in flight. */
        public Builder duplicates(Duplicates duplicates) {
            this.duplicates = duplicates;
            return this;
        }

        /** For callers that hold a thread: they can let go of it. Called on any thread; must be quick. */
        public Builder onWait(Runnable onWait) {
            this.onWait = onWait;
            return this;
        }

        /**
         * For callers that cannot run the operation any more when they have let go of their thread: the call then stops
         * waiting before it would have to take over a lapsed key.
         */
        public Builder runsAfterWaiting(boolean runs) {
            this.runsAfterWaiting = runs;
            return this;
        }

        public Call build() {
            return new Call(this);
        }
    }
}
