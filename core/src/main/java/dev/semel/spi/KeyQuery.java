package dev.semel.spi;

import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A query for records. A restriction that is {@code null} matches all of them. */
public final class KeyQuery {

    public static final int MAX_LIMIT = 1000;

    /** How many digits a search text must have to be compared with digests. */
    public static final int MIN_DIGEST_PREFIX = 6;

    private static final Pattern DIGEST_PREFIX = Pattern.compile("[0-9a-f]{" + MIN_DIGEST_PREFIX + ",32}");

    private final Builder parts;

    private KeyQuery(Builder parts) {
        this.parts = parts;
    }

    /**
     * Starts building a query, which matches all records by default.
     *
     * @param limit the most records in the page
     */
    public static Builder builder(int limit) {
        return new Builder(limit);
    }

    public static KeyQuery inState(KeyState state, int limit) {
        return builder(limit).state(state).build();
    }

    /** The same query for the next page. */
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

    /** The exact key value to find. */
    public @Nullable String value() {
        return parts.value;
    }

    /**
     * A search text: finds records whose key starts with it, whose scope or trace it is, or whose digest starts with it,
     * if it has at least {@value #MIN_DIGEST_PREFIX} hexadecimal digits.
     */
    public @Nullable String text() {
        return parts.text;
    }

    /** The earliest time at which the current attempt may have claimed the key. */
    public @Nullable Instant claimedFrom() {
        return parts.claimedFrom;
    }

    /** The time before which the current attempt must have claimed the key. */
    public @Nullable Instant claimedBefore() {
        return parts.claimedBefore;
    }

    /** The {@link #text} if it could be the start of a digest; {@code null} otherwise. */
    public @Nullable String digestPrefix() {
        return parts.text != null && DIGEST_PREFIX.matcher(parts.text).matches() ? parts.text : null;
    }

    /** The cursor where the previous page ended, from {@link KeyPage#next}. */
    public @Nullable String cursor() {
        return parts.cursor;
    }

    /** The most records in the page. */
    public int limit() {
        return parts.limit;
    }

    /** Whether the record matches this query, for stores that filter outside their database. */
    public boolean matches(KeyRecord found) {
        return (parts.state == null || parts.state == found.state())
                && (parts.operation == null || parts.operation.equals(found.operation()))
                && (parts.scope == null || parts.scope.equals(found.key().scope()))
                && (parts.value == null || parts.value.equals(found.key().value()))
                && (parts.claimedFrom == null || !found.claimedAt().isBefore(parts.claimedFrom))
                && (parts.claimedBefore == null || found.claimedAt().isBefore(parts.claimedBefore))
                && (parts.text == null || isFoundBy(parts.text, found));
    }

    private boolean isFoundBy(String text, KeyRecord found) {
        String prefix = digestPrefix();
        return found.key().value().startsWith(text)
                || found.key().scope().equals(text)
                || text.equals(found.traceId())
                || (prefix != null && found.key().digest().toString().startsWith(prefix));
    }

    /** Builds a {@link KeyQuery}. */
    public static final class Builder {

        private final int limit;
        private @Nullable KeyState state;
        private @Nullable String operation;
        private @Nullable String scope;
        private @Nullable String value;
        private @Nullable String text;
        private @Nullable Instant claimedFrom;
        private @Nullable Instant claimedBefore;
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
            this.text = other.text;
            this.claimedFrom = other.claimedFrom;
            this.claimedBefore = other.claimedBefore;
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

        /** See {@link KeyQuery#text}. */
        public Builder text(@Nullable String text) {
            this.text = text;
            return this;
        }

        public Builder claimedFrom(@Nullable Instant from) {
            this.claimedFrom = from;
            return this;
        }

        public Builder claimedBefore(@Nullable Instant before) {
            this.claimedBefore = before;
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
