package dev.semel.spi;

import org.jspecify.annotations.Nullable;

/**
 * Which records to show; what is {@code null} does not restrict.
 *
 * @param value the whole key value
 * @param cursor where the page before ended, from {@link KeyPage#next}
 * @param limit the most records in the page
 */
public record KeyQuery(
        @Nullable KeyState state,
        @Nullable String operation,
        @Nullable String scope,
        @Nullable String value,
        @Nullable String cursor,
        int limit) {

    public static final int MAX_LIMIT = 1000;

    public KeyQuery {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("page limit must be between 1 and " + MAX_LIMIT + ", got " + limit);
        }
    }

    public static KeyQuery inState(KeyState state, int limit) {
        return new KeyQuery(state, null, null, null, null, limit);
    }

    /** Whether this query asks for the record, for stores that filter outside of their database. */
    public boolean matches(KeyRecord found) {
        return (state == null || state == found.state())
                && (operation == null || operation.equals(found.operation()))
                && (scope == null || scope.equals(found.key().scope()))
                && (value == null || value.equals(found.key().value()));
    }

    public KeyQuery after(@Nullable String nextCursor) {
        return new KeyQuery(state, operation, scope, value, nextCursor, limit);
    }
}
