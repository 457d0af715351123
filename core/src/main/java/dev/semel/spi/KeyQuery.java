package dev.semel.spi;

import org.jspecify.annotations.Nullable;

/** Which records to show; what is {@code null} does not restrict. */
public final class KeyQuery {

    public static final int MAX_LIMIT = 1000;

    private final Builder parts;

    private KeyQuery(Builder parts) {
        this.parts = parts;
    }

    /**
     * Starts a query for all records.
     *
     * @param limit the most records in the page
     */
    public static Builder builder(int limit) {
        return new Builder(limit);
    }

    public static KeyQuery inState(KeyState state, int limit) {
        return builder(limit).state(state).build();
    }

    /** The same query for the page that follows. */
    public KeyQuery after(@Nullable String nextCursor) {
        return new Builder(parts).cursor(nextCursor).build();
    }

    public @Nullable KeyState state() {
        return parts.state;
    }

    public @Nullable String operation() {
        return parts.operation;
    }

    public @Nullable String scope() {
        return parts.scope;
    }

    /** The whole key value. */
    public @Nullable String value() {
        return parts.value;
    }

    /** Where the page before ended, from {@link KeyPage#next}. */
    public @Nullable String cursor() {
        return parts.cursor;
    }

    /** The most records in the page. */
    public int limit() {
        return parts.limit;
    }

    /** Whether this query asks for the record, for stores that filter outside of their database. */
    public boolean matches(KeyRecord found) {
        return (parts.state == null || parts.state == found.state())
                && (parts.operation == null || parts.operation.equals(found.operation()))
                && (parts.scope == null || parts.scope.equals(found.key().scope()))
                && (parts.value == null || parts.value.equals(found.key().value()));
    }

    /** Makes a {@link KeyQuery}. */
    public static final class Builder {

        private final int limit;
        private @Nullable KeyState state;
        private @Nullable String operation;
        private @Nullable String scope;
        private @Nullable String value;
        private @Nullable String cursor;

        private Builder(int limit) {
            if (limit < 1 || limit > MAX_LIMIT) {
                throw new IllegalArgumentException("page limit must be between 1 and " + MAX_LIMIT + ", got " + limit);
            }
            this.limit = limit;
        }

        private Builder(Builder other) {
            this.limit = other.limit;
            this.state = other.state;
            this.operation = other.operation;
            this.scope = other.scope;
            this.value = other.value;
            this.cursor = other.cursor;
        }

        public Builder state(@Nullable KeyState state) {
            this.state = state;
            return this;
        }

        public Builder operation(@Nullable String operation) {
            this.operation = operation;
            return this;
        }

        public Builder scope(@Nullable String scope) {
            this.scope = scope;
            return this;
        }

        public Builder value(@Nullable String value) {
            this.value = value;
            return this;
        }

        public Builder cursor(@Nullable String cursor) {
            this.cursor = cursor;
            return this;
        }

        public KeyQuery build() {
            return new KeyQuery(new Builder(this));
        }
    }
}
