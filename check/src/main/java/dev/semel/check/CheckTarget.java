package dev.semel.check;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The operation to check, with optional settings that allow more cases. */
public final class CheckTarget {

    /** A header line. */
    public record HeaderLine(String name, String value) {

        /** Reads {@code Name: value}. */
        public static HeaderLine parse(String text) {
            int colon = text.indexOf(':');
            if (colon < 1) {
                throw new IllegalArgumentException(
                        "a header must have the form \"Name: value\", got one without a name and a colon");
            }
            return new HeaderLine(
                    text.substring(0, colon).strip(), text.substring(colon + 1).strip());
        }
    }

    private static final int CONFLICT = 409;
    private static final String OF_DIALECTS = "P20.";
    private static final String OF_STORED_ERRORS = "P12.2";
    private static final Set<String> REPLACED_BY_DIALECT = Set.of("P5.1", "P7.3", "P9.4", "P16.1");
    private static final Set<String> OF_QUOTED_KEYS = Set.of("P1.1", "P2.1", "P2.2", "P3.3");
    private static final Set<String> OF_HEADERS = Set.of("P1.1", "P2.1", "P2.2", "P3.1", "P3.3", "P3.4");

    final URI uri;
    final String method;
    final String keyHeader;
    final boolean bareKeys;
    final List<HeaderLine> headers;
    final byte[] body;
    final byte @Nullable [] otherBody;
    final byte @Nullable [] badBody;
    final @Nullable URI otherUri;
    final @Nullable String effectsUri;
    final @Nullable HeaderLine slowHeader;
    final @Nullable HeaderLine errorHeader;
    final @Nullable HeaderLine callerA;
    final @Nullable HeaderLine callerB;
    final boolean keyRequired;
    final int duplicates;
    final Duration timeout;
    final @Nullable Duration retention;
    private final @Nullable ApiDialect dialect;
    private final Set<String> only;
    private final Set<String> skip;

    private CheckTarget(Builder builder) {
        this.uri = builder.uri;
        this.method = builder.method;
        this.dialect = builder.dialect;
        this.keyHeader =
                builder.keyHeader != null ? builder.keyHeader : dialect == null ? "Idempotency-Key" : dialect.keyHeader;
        this.bareKeys = builder.bareKeys || (dialect != null && !dialect.quotesKeys);
        this.headers = List.copyOf(builder.headers);
        this.body = builder.body;
        this.otherBody = builder.otherBody;
        this.badBody = builder.badBody;
        this.otherUri = builder.otherUri;
        this.effectsUri = builder.effectsUri;
        this.slowHeader = builder.slowHeader;
        this.errorHeader = builder.errorHeader;
        this.callerA = builder.callerA;
        this.callerB = builder.callerB;
        this.keyRequired = builder.keyRequired;
        this.duplicates = builder.duplicates;
        this.timeout = builder.timeout;
        this.retention = builder.retention;
        this.only = builder.only;
        this.skip = builder.skip;
        if (duplicates < 2) {
            throw new IllegalArgumentException("there must be at least 2 simultaneous duplicates, got " + duplicates);
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("the timeout must be positive, got " + timeout);
        }
        Set<String> unknown = new TreeSet<>(only);
        unknown.addAll(skip);
        Cases.ALL.forEach(known -> unknown.removeIf(word -> names(word, known.id())));
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("there is no case " + String.join(", ", unknown)
                    + "; cases are numbered like P9.1, and P9 means all of P9");
        }
    }

    /**
     * Reads the address of an operation. Throws an {@link IllegalArgumentException}, without passwords, if it is
     * invalid.
     */
    public static URI address(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "not an address: " + e.getReason() + " in \"" + Secrets.url(text) + "\"");
        }
    }

    public static Builder builder(URI uri) {
        return new Builder(uri);
    }

    private static boolean names(String word, String id) {
        return word.equals(id) || id.startsWith(word + ".");
    }

    /** The dialect, for cases that are tried only if there is one. */
    ApiDialect dialect() {
        return Objects.requireNonNull(dialect, "no dialect");
    }

    /** A key in the form that the API requires; this key if it requires none. */
    String newKey(String readable) {
        return dialect == null ? readable : dialect.key(readable);
    }

    /** The header that says when a request was first sent; {@code null} if there is none. */
    @Nullable
    String timeHeader() {
        return dialect == null ? null : dialect.timeHeader;
    }

    /** The status of a duplicate while the first request runs. */
    int inFlightStatus() {
        return dialect == null ? CONFLICT : dialect.inFlight.status();
    }

    /** The member of the body that carries the key; {@code null} where a header does. */
    @Nullable
    String keyMember() {
        return dialect == null ? null : dialect.keyMember;
    }

    /** Whether a case applies: with a dialect, cases of the Internet-Draft that the dialect replaces are left out. */
    private boolean concerns(CheckCase checkCase) {
        if (dialect == null) {
            return !checkCase.id().startsWith(OF_DIALECTS);
        }
        return !REPLACED_BY_DIALECT.contains(checkCase.id())
                && (dialect.quotesKeys || !OF_QUOTED_KEYS.contains(checkCase.id()))
                && (dialect.keyMember == null || !OF_HEADERS.contains(checkCase.id()))
                && (dialect.storesErrors || !checkCase.id().equals(OF_STORED_ERRORS));
    }

    boolean selects(CheckCase checkCase) {
        return concerns(checkCase)
                && (only.isEmpty() || only.stream().anyMatch(word -> names(word, checkCase.id())))
                && skip.stream().noneMatch(word -> names(word, checkCase.id()));
    }

    int effectsRequests() {
        return effectsUri == null ? 0 : effectsUri.contains("{key}") ? 1 : 2;
    }

    boolean isJson() {
        String type = contentType();
        return type.startsWith("application/json") || type.contains("+json");
    }

    String contentType() {
        return headers.stream()
                .filter(line -> line.name().equalsIgnoreCase("Content-Type"))
                .map(HeaderLine::value)
                .findFirst()
                .orElse("application/json");
    }

    /** The servers that requests are sent to. */
    public List<String> hosts() {
        Set<String> hosts = new TreeSet<>();
        hosts.add(uri.getHost());
        if (otherUri != null) {
            hosts.add(otherUri.getHost());
        }
        if (effectsUri != null) {
            hosts.add(URI.create(effectsUri.replace("{key}", "k")).getHost());
        }
        return List.copyOf(hosts);
    }

    /** Method and address, without secrets. */
    @Override
    public String toString() {
        return method + " " + Secrets.url(uri.toString());
    }

    /** Builds a {@link CheckTarget}. */
    public static final class Builder {

        private final URI uri;
        private String method = "POST";
        private @Nullable ApiDialect dialect;
        private @Nullable String keyHeader;
        private boolean bareKeys;
        private final List<HeaderLine> headers = new ArrayList<>();
        private byte[] body = "{\"amount\": 100, \"currency\": \"EUR\"}".getBytes(StandardCharsets.UTF_8);
        private byte @Nullable [] otherBody;
        private byte @Nullable [] badBody;
        private @Nullable URI otherUri;
        private @Nullable String effectsUri;
        private @Nullable HeaderLine slowHeader;
        private @Nullable HeaderLine errorHeader;
        private @Nullable HeaderLine callerA;
        private @Nullable HeaderLine callerB;
        private boolean keyRequired;
        private int duplicates = 8;
        private Duration timeout = Duration.ofSeconds(10);
        private @Nullable Duration retention;
        private final Set<String> only = new TreeSet<>();
        private final Set<String> skip = new TreeSet<>();

        private Builder(URI uri) {
            this.uri = absolute(uri);
        }

        private static URI absolute(URI uri) {
            if (uri.getHost() == null || !("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                throw new IllegalArgumentException("an address starts with http:// or https:// and a host, got \""
                        + Secrets.url(uri.toString()) + "\"");
            }
            return uri;
        }

        public Builder method(String method) {
            this.method = method;
            return this;
        }

        /** The dialect of the API; by default the Internet-Draft. */
        public Builder dialect(ApiDialect dialect) {
            this.dialect = dialect;
            return this;
        }

        /** The header that carries the key: {@code Idempotency-Key} or that of the dialect, unless set. */
        public Builder keyHeader(String name) {
            this.keyHeader = name;
            return this;
        }

        /** Sends keys without quotes, for an API that only accepts those. */
        public Builder bareKeys(boolean bare) {
            this.bareKeys = bare;
            return this;
        }

        public Builder header(String name, String value) {
            headers.add(new HeaderLine(name, value));
            return this;
        }

        /** The body of a request that succeeds. */
        public Builder body(String text) {
            this.body = text.getBytes(StandardCharsets.UTF_8);
            return this;
        }

        /** The body of a different request that would succeed; by default derived from the JSON of the first one. */
        public Builder otherBody(String text) {
            this.otherBody = text.getBytes(StandardCharsets.UTF_8);
            return this;
        }

        /** A body that the operation refuses with a 4xx. */
        public Builder badBody(String text) {
            this.badBody = text.getBytes(StandardCharsets.UTF_8);
            return this;
        }

        /** A different operation that accepts the same request. */
        public Builder otherUri(URI uri) {
            this.otherUri = absolute(uri);
            return this;
        }

        /**
         * A URL that returns the number of effects: a number, a JSON array that is counted, or a JSON object with a
         * member {@code count}. With {@code {key}} in the URL, the effects of that key.
         */
        public Builder effectsUri(String uri) {
            absolute(address(uri.replace("{key}", "k")));
            this.effectsUri = uri;
            return this;
        }

        /** Makes a request take about a second or longer. */
        public Builder slowHeader(String name, String value) {
            this.slowHeader = new HeaderLine(name, value);
            return this;
        }

        /** Makes a request fail with a 5xx after its effect. */
        public Builder errorHeader(String name, String value) {
            this.errorHeader = new HeaderLine(name, value);
            return this;
        }

        /** The credentials of the caller. */
        public Builder callerA(String name, String value) {
            this.callerA = new HeaderLine(name, value);
            return this;
        }

        /** The credentials of another caller. */
        public Builder callerB(String name, String value) {
            this.callerB = new HeaderLine(name, value);
            return this;
        }

        /** Requires that a request without a key is refused. */
        public Builder keyRequired(boolean required) {
            this.keyRequired = required;
            return this;
        }

        /** How many equal requests are sent at the same time. */
        public Builder duplicates(int duplicates) {
            this.duplicates = duplicates;
            return this;
        }

        /** How long to wait for an answer. */
        public Builder timeout(Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        /** How long keys are kept, if the check may wait for that long. */
        public Builder retention(Duration retention) {
            this.retention = retention;
            return this;
        }

        /** Runs only these cases: {@code P9.1}, or {@code P9} for all of P9. */
        public Builder only(String... ids) {
            only.addAll(List.of(ids));
            return this;
        }

        /** Skips these cases. */
        public Builder skip(String... ids) {
            skip.addAll(List.of(ids));
            return this;
        }

        public CheckTarget build() {
            return new CheckTarget(this);
        }
    }
}
