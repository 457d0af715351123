package dev.semel.policy;

import dev.semel.util.Text;

/** The policy of an operation that runs in a transaction of the store's database, which includes the settle. */
public final class TransactionalPolicy extends Policy {

    private TransactionalPolicy(Builder parts) {
        super(parts);
        if (whenStoreIsDown() == WhenStoreIsDown.OPEN) {
            throw new IllegalArgumentException("operation " + Text.quote(operation()) + " of mode " + mode()
                    + " cannot run while the store is down: its store is its own database");
        }
        if (mode() == Mode.SINGLE_TRANSACTION && recovery() != Recovery.RE_EXECUTE) {
            throw new IllegalArgumentException("operation " + Text.quote(operation()) + " of mode " + mode()
                    + " must have recovery RE_EXECUTE, got " + recovery() + ": a crash leaves nothing to recover");
        }
    }

    @Override
    public Builder toBuilder() {
        return new Builder(parts);
    }

    /** Builds a {@link TransactionalPolicy}. */
    public static final class Builder extends Policy.Builder<TransactionalPolicy, Builder> {

        Builder(String operation, Mode mode) {
            super(operation, mode, Recovery.RE_EXECUTE);
        }

        private Builder(Policy.Builder<?, ?> other) {
            super(other);
        }

        @Override
        Builder self() {
            return this;
        }

        @Override
        public TransactionalPolicy build() {
            return new TransactionalPolicy(new Builder(this));
        }
    }
}
