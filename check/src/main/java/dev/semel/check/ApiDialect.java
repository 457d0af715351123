package dev.semel.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The differences of an API from the Internet-Draft, according to its own documentation. */
public final class ApiDialect {

    /**
     * The expected form of a refusal.
     *
     * @param parts the texts that its body contains besides a message, without white space: {@code "code":"in_use"}
     */
    record Refusal(int status, List<String> parts) {

        /** Checks an answer; returns the problem, or {@code null} if it is as expected. */
        @Nullable
        String complaint(TrialResponse reply) {
            if (reply.status() != status) {
                return reply.brief() + " instead of " + status;
            }
            String body = withoutSpace(reply.text());
            return parts.stream()
                    .filter(part -> !body.contains(withoutSpace(part)))
                    .findFirst()
                    .map(part -> reply.brief() + ", and the body has no " + part)
                    .orElse(null);
        }

        private static String withoutSpace(String json) {
            return json.replaceAll("\\s+", "").toLowerCase(Locale.ROOT);
        }
    }

    private static final int TIMED_UUID = 7;

    final String name;
    final String keyHeader;
    final @Nullable String keyMember;
    final boolean quotesKeys;
    final int uuidVersion;
    final @Nullable String timeHeader;
    final int maxKeyLength;
    final boolean storesErrors;
    final List<String> markers;
    final List<CheckTarget.HeaderLine> resultHeaders;
    final Refusal mismatch;
    final Refusal inFlight;
    final @Nullable Refusal missing;

    private ApiDialect(Builder builder) {
        this.name = builder.name;
        this.keyHeader = builder.keyHeader;
        this.keyMember = builder.keyMember;
        this.quotesKeys = builder.quotesKeys;
        this.uuidVersion = builder.uuidVersion;
        this.timeHeader = builder.timeHeader;
        this.maxKeyLength = builder.maxKeyLength;
        this.storesErrors = builder.storesErrors;
        this.markers = List.copyOf(builder.markers);
        this.resultHeaders = List.copyOf(builder.resultHeaders);
        this.mismatch = builder.mismatch;
        this.inFlight = builder.inFlight;
        this.missing = builder.missing;
    }

    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** An unused key, in the format that the API expects. */
    String key(String readable) {
        String uuid = UUID.randomUUID().toString();
        if (uuidVersion == TIMED_UUID) {
            String time = String.format("%012x", System.currentTimeMillis());
            return time.substring(0, 8) + "-" + time.substring(8) + "-7" + uuid.substring(15);
        }
        return uuidVersion == 0 ? readable : uuid;
    }

    @Override
    public String toString() {
        return name;
    }

    /** Builds an {@link ApiDialect}. */
    public static final class Builder {

        private final String name;
        private String keyHeader = "Idempotency-Key";
        private @Nullable String keyMember;
        private boolean quotesKeys;
        private int uuidVersion;
        private @Nullable String timeHeader;
        private int maxKeyLength;
        private boolean storesErrors = true;
        private List<String> markers = List.of();
        private final List<CheckTarget.HeaderLine> resultHeaders = new ArrayList<>();
        private Refusal mismatch = new Refusal(422, List.of());
        private Refusal inFlight = new Refusal(409, List.of());
        private @Nullable Refusal missing;

        private Builder(String name) {
            this.name = name;
        }

        /** The header that carries the key, and whether in quotes. */
        public Builder keyHeader(String header, boolean quoted) {
            this.keyHeader = header;
            this.quotesKeys = quoted;
            return this;
        }

        /** The member of a JSON body that carries the key, in place of a header. */
        public Builder keyMember(String member) {
            this.keyMember = member;
            return this;
        }

        /** Requires keys to be UUIDs, of version 4 or 7. */
        public Builder uuidKeys(int version) {
            this.uuidVersion = version;
            return this;
        }

        /** The header with the HTTP date at which a request was first sent. */
        public Builder timeHeader(String header) {
            this.timeHeader = header;
            return this;
        }

        /** The length of the longest key; the API must refuse a longer one. 0 for no limit. */
        public Builder maxKeyLength(int characters) {
            this.maxKeyLength = characters;
            return this;
        }

        /** Whether a 5xx is stored and replayed, as most APIs do. */
        public Builder storesErrors(boolean stores) {
            this.storesErrors = stores;
            return this;
        }

        /** The headers that mark a replay, each with the value {@code true}; none for no mark. */
        public Builder markers(String... names) {
            this.markers = List.of(names);
            return this;
        }

        /** A header of the first answer and of its replay; {@code {key}} in the value is the key. */
        public Builder resultHeader(String header, String value) {
            resultHeaders.add(new CheckTarget.HeaderLine(header, value));
            return this;
        }

        /** How another request under the same key is refused; parts of the body look like {@code "code":"reused"}. */
        public Builder mismatch(int status, String... parts) {
            this.mismatch = new Refusal(status, List.of(parts));
            return this;
        }

        /** How a duplicate is refused while the first request runs. */
        public Builder inFlight(int status, String... parts) {
            this.inFlight = new Refusal(status, List.of(parts));
            return this;
        }

        /** How a request without a key is refused; not at all unless set. */
        public Builder missing(int status, String... parts) {
            this.missing = new Refusal(status, List.of(parts));
            return this;
        }

        public ApiDialect build() {
            return new ApiDialect(this);
        }
    }
}
