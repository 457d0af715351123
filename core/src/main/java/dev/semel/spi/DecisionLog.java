package dev.semel.spi;

import dev.semel.KeyDigest;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A store that keeps what people decided. Entries are added, and never changed or removed. */
public interface DecisionLog {

    /** The most entries that one call reads. */
    int MAX_LIMIT = 1000;

    /**
     * Resolves a key as {@link Inspecting#resolve} does, and adds the entry, in one atomic step. If the key has
     * changed, neither happens and the result is {@code false}.
     *
     * @param note the text for the key's history
     */
    CompletionStage<Boolean> resolve(KeyDigest digest, long token, Resolution resolution, String note, Entry entry);

    /** Adds an entry about something that is not the resolution of one key. */
    CompletionStage<Void> add(Entry entry);

    /**
     * The latest entries first.
     *
     * @param subject the subject of the entries, or {@code null} for all
     * @param before only entries with a smaller {@link Entry#id}, or 0 to start with the latest
     * @param limit the most entries, from 1 to {@link #MAX_LIMIT}
     */
    CompletionStage<List<Entry>> entries(@Nullable String subject, long before, int limit);

    /**
     * Who decided.
     *
     * @param name the person's name in the system that authenticated them
     * @param address the address that the request came from, or {@code null} if it did not come over a network
     */
    record Person(String name, @Nullable String address) {

        private static final int MAX_NAME = 200;

        /** Refuses a name that could not be written to a log line. */
        public Person {
            if (name.isBlank() || name.length() > MAX_NAME || name.codePoints().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException("a person's name must have 1 to " + MAX_NAME
                        + " printable characters, got " + name.length() + " characters");
            }
        }
    }

    /** One line of the log. It names a key and a scope by digests only, so that an erasure leaves nothing of them here. */
    final class Entry {

        private final Builder parts;

        private Entry(Builder parts) {
            this.parts = parts;
        }

        /**
         * Starts an entry.
         *
         * @param action the action, such as {@code resolve} or {@code erase}
         * @param subject the object of the action: the digest of a key, or {@code sha256:} and the digest of a scope
         */
        public static Builder builder(String action, String subject, Person by) {
            return new Builder(action, subject, by);
        }

        /** A builder with the values of this entry. */
        public Builder toBuilder() {
            return new Builder(parts);
        }

        /** Grows with every entry; 0 for an entry that is not stored yet. */
        public long id() {
            return parts.id;
        }

        /** When the store added it, by its clock. */
        public Instant at() {
            return parts.at;
        }

        public String action() {
            return parts.action;
        }

        public String subject() {
            return parts.subject;
        }

        public Person by() {
            return parts.by;
        }

        /** The operation of the key, if it is about one. */
        public @Nullable String operation() {
            return parts.operation;
        }

        /** The fencing token that the decision was conditional on, or 0. */
        public long token() {
            return parts.token;
        }

        /** The key's state before the decision. */
        public String before() {
            return parts.before;
        }

        /** The key's state after the decision. */
        public String after() {
            return parts.after;
        }

        public String reason() {
            return parts.reason;
        }

        @Override
        public String toString() {
            return "Entry[" + parts.id + " " + parts.action + " " + parts.subject + " by " + parts.by.name() + "]";
        }

        /** Builds an {@link Entry}. */
        public static final class Builder {

            private final String action;
            private final String subject;
            private final Person by;
            private long id;
            private Instant at = Instant.EPOCH;
            private @Nullable String operation;
            private long token;
            private String before = "";
            private String after = "";
            private String reason = "";

            private Builder(String action, String subject, Person by) {
                this.action = action;
                this.subject = subject;
                this.by = by;
            }

            private Builder(Builder other) {
                this(other.action, other.subject, other.by);
                this.id = other.id;
                this.at = other.at;
                this.operation = other.operation;
                this.token = other.token;
                this.before = other.before;
                this.after = other.after;
                this.reason = other.reason;
            }

            /** The id and time of an entry that the store has added. */
            public Builder added(long number, Instant when) {
                this.id = number;
                this.at = when;
                return this;
            }

            public Builder key(@Nullable String operationName, long fencingToken) {
                this.operation = operationName;
                this.token = fencingToken;
                return this;
            }

            public Builder change(String from, String to) {
                this.before = from;
                this.after = to;
                return this;
            }

            public Builder reason(String why) {
                this.reason = why;
                return this;
            }

            public Entry build() {
                return new Entry(new Builder(this));
            }
        }
    }
}
