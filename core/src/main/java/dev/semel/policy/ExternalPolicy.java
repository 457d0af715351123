package dev.semel.policy;

/**
 * The policy of an operation with effects outside the store's database. Claim, run and settle are three separate steps.
 */
public final class ExternalPolicy extends Policy {

    private ExternalPolicy(Builder parts) {
        super(parts);
    }

    @Override
    public Builder toBuilder() {
        return new Builder(parts);
    }

    /** Builds an {@link ExternalPolicy}. */
    public static final class Builder extends Policy.Builder<ExternalPolicy, Builder> {

        Builder(String operation) {
            super(operation, Mode.EXTERNAL, Recovery.HOLD);
        }

        private Builder(Policy.Builder<?, ?> other) {
            super(other);
        }

        @Override
        Builder self() {
            return this;
        }

        @Override
        public ExternalPolicy build() {
            return new ExternalPolicy(new Builder(this));
        }
    }
}
