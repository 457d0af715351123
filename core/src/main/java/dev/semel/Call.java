package dev.semel;

import dev.semel.policy.Duplicates;
import org.jspecify.annotations.Nullable;

/** One request to run an operation under a key, with the settings that may differ from request to request. */
public final class Call {

    private final Key key;
    private final Fingerprint fingerprint;
    private final @Nullable String traceId;
    private final @Nullable String about;
    private final @Nullable Duplicates duplicates;

    private Call(Builder builder) {
        this.key = builder.key;
        this.fingerprint = builder.fingerprint;
        this.traceId = builder.traceId;
        this.about = builder.about;
        this.duplicates = builder.duplicates;
    }

    /** A call with just a key and a fingerprint. */
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

    /** The trace that this request belongs to, stored with the key for people. */
    public @Nullable String traceId() {
        return traceId;
    }

    /** A short description of this request, stored with the key for people; {@code null} if unknown. */
    public @Nullable String about() {
        return about;
    }

    /** How this call is answered while another one is in flight; {@code null} if the policy decides. */
    public @Nullable Duplicates duplicates() {
        return duplicates;
    }

    @Override
    public String toString() {
        return "Call[" + key + "]";
    }

    /** Builds a {@link Call}. */
    public static final class Builder {

        private final Key key;
        private final Fingerprint fingerprint;
        private @Nullable String traceId;
        private @Nullable String about;
        private @Nullable Duplicates duplicates;

        private Builder(Key key, Fingerprint fingerprint) {
            this.key = key;
            this.fingerprint = fingerprint;
        }

        public Builder traceId(@Nullable String traceId) {
            this.traceId = traceId;
            return this;
        }

        /**
         * Describes this request, such as {@code POST /charges}: up to 250 characters that people see next to the key.
         * They are not encrypted, so they must not contain secrets.
         */
        public Builder about(@Nullable String about) {
            this.about = about;
            return this;
        }

        /** Overrides the policy's answer while the operation is in flight. */
        public Builder duplicates(Duplicates duplicates) {
            this.duplicates = duplicates;
            return this;
        }

        public Call build() {
            return new Call(this);
        }
    }
}
