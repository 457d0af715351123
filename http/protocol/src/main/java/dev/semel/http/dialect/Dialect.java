package dev.semel.http.dialect;

import dev.semel.Header;
import dev.semel.Key;
import dev.semel.http.key.KeyCheck;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How an API handles keys: where a request carries its key, and how a retry, a refusal and a failure are answered. A
 * dialect is data, and changes nothing about when an operation runs; only {@link FailureRule} says what is stored of it.
 */
public final class Dialect {

    /** How a response with an error status is stored, once the operation has begun. */
    public enum FailureRule {
        /** Every response is stored and replayed: an error after an effect is not run again. */
        STORED,
        /**
         * A response with a 5xx leaves the attempt unfinished: when its lease has lapsed, a retry runs again and finds the
         * steps that were finished. Needs the recovery {@code RE_EXECUTE}.
         */
        SERVER_ERRORS_RESUMED,
        /** Like {@link #SERVER_ERRORS_RESUMED}, for every response with an error status. */
        RESUMED
    }

    private static final int CLIENT_ERROR = 400;
    private static final int SERVER_ERROR = 500;

    private final String name;
    private final String header;
    private final @Nullable String bodyPointer;
    private final boolean quotesKeys;
    private final @Nullable Boolean keyRequired;
    private final Set<String> methods;
    private final int maxKeyLength;
    private final String keyFormat;
    private final @Nullable Duration keyMaxAge;
    private final @Nullable String keyTimeHeader;
    private final FailureRule failures;
    private final @Nullable SignatureScheme signatures;
    private final @Nullable Duration retention;
    private final List<Header> markers;
    private final List<Header> resultHeaders;
    private final @Nullable BodyTemplate error;
    private final Map<ProblemType, Refusal> refusals;
    private final @Nullable URI problemPages;

    private Dialect(Builder builder) {
        this.name = builder.name;
        this.header = builder.header;
        this.bodyPointer = builder.bodyPointer;
        this.quotesKeys = builder.quotesKeys;
        this.keyRequired = builder.keyRequired;
        this.methods = builder.methods;
        this.maxKeyLength = builder.maxKeyLength;
        this.keyFormat = builder.keyFormat;
        this.keyMaxAge = builder.keyMaxAge;
        this.keyTimeHeader = builder.keyTimeHeader;
        this.failures = builder.failures;
        this.signatures = builder.signatures;
        this.retention = builder.retention;
        this.markers = List.copyOf(builder.markers);
        this.resultHeaders = List.copyOf(builder.resultHeaders);
        this.error = builder.error;
        this.refusals = new EnumMap<>(builder.refusals);
        this.problemPages = builder.problemPages;
        refusals.forEach((cause, refusal) -> {
            if (error == null && refusal.body() == null) {
                throw new IllegalArgumentException("dialect " + name + " has its own answer for " + cause
                        + ", but has no body for errors: call error(contentType, template) first");
            }
        });
    }

    /** The Internet-Draft, with problem details (RFC 9457): the default. */
    public static Dialect draft() {
        return Dialects.DRAFT;
    }

    /** The dialect with one of these {@link #names()}. */
    public static Dialect named(String name) {
        Dialect found = Dialects.ALL.get(name);
        if (found == null) {
            throw new IllegalArgumentException("there is no dialect \"" + name + "\"; there are "
                    + String.join(", ", names()) + ", or make your own with Dialect.builder");
        }
        return found;
    }

    /** The dialects that come with Semel. */
    public static List<String> names() {
        return List.copyOf(Dialects.ALL.keySet());
    }

    /** Your own dialect, based on the Internet-Draft. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Your own dialect, based on another one. */
    public static Builder builder(String name, Dialect like) {
        return new Builder(name, like);
    }

    public String name() {
        return name;
    }

    /** The header that carries the key, if the body does not. */
    public String header() {
        return header;
    }

    /** The JSON Pointer to the key, if the body carries it. */
    public @Nullable String bodyPointer() {
        return bodyPointer;
    }

    /** Whether clients send the key in quotes; servers read both forms. */
    public boolean quotesKeys() {
        return quotesKeys;
    }

    /** Whether a request without a key is refused; {@code null} where the API leaves that to the operation. */
    public @Nullable Boolean keyRequired() {
        return keyRequired;
    }

    /** The methods whose requests are guarded. */
    public Set<String> methods() {
        return methods;
    }

    public int maxKeyLength() {
        return maxKeyLength;
    }

    /** The form of keys, in the syntax of {@link KeyCheck#of}. */
    public String keyFormat() {
        return keyFormat;
    }

    /** The header that says when a request was first sent; {@code null} if there is none. */
    public @Nullable String keyTimeHeader() {
        return keyTimeHeader;
    }

    /** The required form of keys, and how old they may be. */
    public KeyCheck keyCheck() {
        KeyCheck check = KeyCheck.of(keyFormat);
        check = keyTimeHeader == null ? check : check.withTimeHeader(keyTimeHeader);
        return keyMaxAge == null ? check : check.withMaxAge(keyMaxAge);
    }

    public FailureRule failures() {
        return failures;
    }

    /** How requests are signed; {@code null} if they are not. The signature is verified before everything else. */
    public @Nullable SignatureScheme signatures() {
        return signatures;
    }

    /** How long the API promises to keep a key; {@code null} if the operation decides. */
    public @Nullable Duration retention() {
        return retention;
    }

    /** The headers of a replay; {@code {key}} in a value is the key. */
    public List<Header> markers() {
        return markers;
    }

    /** The headers that both the first response and its replay have. */
    public List<Header> resultHeaders() {
        return resultHeaders;
    }

    /** The URL for the {@code type} of problems, see {@link Builder#problemPages}; {@code null} if there is none. */
    public @Nullable URI problemPages() {
        return problemPages;
    }

    /** The status that this cause is answered with. */
    public int status(ProblemType cause) {
        Refusal own = refusals.get(cause);
        return own == null ? cause.status() : own.status();
    }

    /** The API's code for this cause: {@code {code}} in the body. */
    public String code(ProblemType cause) {
        Refusal own = refusals.get(cause);
        return own == null ? cause.name().toLowerCase(Locale.ROOT) : own.code();
    }

    /** The answer to a problem. */
    public Answer answer(Problem problem) {
        Refusal own = refusals.get(problem.type());
        BodyTemplate body = own == null || own.body() == null ? error : own.body();
        if (body == null) {
            return problem.answer(uri(problem.type()));
        }
        int status = status(problem.type());
        Map<String, String> values = new HashMap<>();
        for (String member : List.of("title", "detail", "outcome", "retry")) {
            values.put(member, problem.text(member));
        }
        values.put("type", uri(problem.type()));
        values.put(BodyTemplate.STATUS, Integer.toString(status));
        values.put(BodyTemplate.CODE, code(problem.type()));
        return answer(status, body, values, problem.type()).with(own == null ? List.of() : own.headers());
    }

    private String uri(ProblemType cause) {
        return problemPages == null ? cause.uri() : cause.uri(problemPages);
    }

    /** The answer to an error that has no cause of its own. */
    public Answer answer(int status, @Nullable String detail) {
        if (error == null) {
            return Problem.ofStatus(status, detail);
        }
        return answer(
                status,
                error,
                Map.of(
                        "type",
                        "about:blank",
                        "detail",
                        detail == null ? "" : detail,
                        BodyTemplate.STATUS,
                        Integer.toString(status),
                        BodyTemplate.CODE,
                        status < SERVER_ERROR ? "invalid_request" : "api_error"),
                null);
    }

    private static Answer answer(
            int status, BodyTemplate body, Map<String, String> values, @Nullable ProblemType cause) {
        return Answer.of(status, Problem.headers(body.contentType()), body.fill(values), cause);
    }

    /** The headers of a replay of this key. */
    public List<Header> ofReplay(String key) {
        List<Header> headers = new ArrayList<>(ofResult(key));
        markers.forEach(header -> add(headers, header, key));
        return headers;
    }

    /** The headers of the first response of this key. */
    public List<Header> ofResult(String key) {
        List<Header> headers = new ArrayList<>();
        resultHeaders.forEach(header -> add(headers, header, key));
        return headers;
    }

    /**
     * Adds a header, unless it would contain a key that is not valid in a header: a key from a body may be any text.
     */
    private static void add(List<Header> headers, Header header, String key) {
        if (!header.value().contains("{key}")) {
            headers.add(header);
        } else if (!key.isEmpty() && key.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            headers.add(new Header(header.name(), header.value().replace("{key}", key)));
        }
    }

    /** Whether an operation that answered with this status is to be resumed by a retry. */
    public boolean resumes(int status) {
        return switch (failures) {
            case STORED -> false;
            case SERVER_ERRORS_RESUMED -> status >= SERVER_ERROR;
            case RESUMED -> status >= CLIENT_ERROR;
        };
    }

    /** Whether an operation that ended with an exception is to be resumed by a retry. */
    public boolean resumesExceptions() {
        return resumes(SERVER_ERROR);
    }

    /** Refuses a policy that cannot keep the promises of this dialect. */
    public void requireFits(Policy policy) {
        if (resumesExceptions() && policy.recovery() != Recovery.RE_EXECUTE) {
            throw new IllegalArgumentException("operation " + policy.operation() + " has the recovery "
                    + policy.recovery() + ", but in dialect " + name + " a retry resumes what has failed: set the"
                    + " recovery " + Recovery.RE_EXECUTE
                    + " if the operation may run again, or choose another dialect");
        }
    }

    @Override
    public String toString() {
        return name;
    }

    /** Builds a {@link Dialect}. */
    public static final class Builder {

        private final String name;
        private String header = "Idempotency-Key";
        private @Nullable String bodyPointer;
        private boolean quotesKeys = true;
        private @Nullable Boolean keyRequired;
        private Set<String> methods = Set.of("POST", "PATCH");
        private int maxKeyLength = Key.MAX_LENGTH;
        private String keyFormat = "any";
        private @Nullable Duration keyMaxAge;
        private @Nullable String keyTimeHeader;
        private FailureRule failures = FailureRule.STORED;
        private @Nullable SignatureScheme signatures;
        private @Nullable Duration retention;
        private List<Header> markers = List.of(new Header("Idempotent-Replayed", "true"));
        private final List<Header> resultHeaders = new ArrayList<>();
        private @Nullable BodyTemplate error;
        private final Map<ProblemType, Refusal> refusals = new EnumMap<>(ProblemType.class);
        private @Nullable URI problemPages;

        private Builder(String name) {
            this.name = name;
        }

        private Builder(String name, Dialect other) {
            this.name = name;
            this.header = other.header;
            this.bodyPointer = other.bodyPointer;
            this.quotesKeys = other.quotesKeys;
            this.keyRequired = other.keyRequired;
            this.methods = other.methods;
            this.maxKeyLength = other.maxKeyLength;
            this.keyFormat = other.keyFormat;
            this.keyMaxAge = other.keyMaxAge;
            this.keyTimeHeader = other.keyTimeHeader;
            this.failures = other.failures;
            this.signatures = other.signatures;
            this.retention = other.retention;
            this.markers = other.markers;
            this.resultHeaders.addAll(other.resultHeaders);
            this.error = other.error;
            this.refusals.putAll(other.refusals);
            this.problemPages = other.problemPages;
        }

        /** The header that carries the key, and whether clients put it in quotes. */
        public Builder header(String name, boolean quoted) {
            this.header = name;
            this.quotesKeys = quoted;
            return this;
        }

        /** The JSON Pointer to the key in the body, in place of a header. */
        public Builder bodyPointer(String pointer) {
            this.bodyPointer = pointer;
            return this;
        }

        public Builder keyRequired(boolean required) {
            this.keyRequired = required;
            return this;
        }

        public Builder methods(String... names) {
            this.methods =
                    Arrays.stream(names).map(m -> m.toUpperCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
            return this;
        }

        public Builder maxKeyLength(int characters) {
            this.maxKeyLength = characters;
            return this;
        }

        /** The required form of keys: {@code uuid}, {@code uuidv7} and others, in the syntax of {@link KeyCheck#of}. */
        public Builder keyFormat(String format) {
            KeyCheck.of(format);
            this.keyFormat = format;
            return this;
        }

        /** How old a key may be, by the time in it. The retention of an operation must be longer. */
        public Builder keyMaxAge(Duration age) {
            this.keyMaxAge = age;
            return this;
        }

        /** How old a key may be, by the HTTP date in this header, at which the request was first sent. */
        public Builder keyMaxAge(Duration age, String timeHeader) {
            this.keyMaxAge = age;
            this.keyTimeHeader = timeHeader;
            return this;
        }

        public Builder failures(FailureRule failures) {
            this.failures = failures;
            return this;
        }

        /** How requests are signed; rules in this dialect then need secrets. */
        public Builder signatures(SignatureScheme scheme) {
            this.signatures = scheme;
            return this;
        }

        /** How long the API promises to keep a key; a gateway uses it unless the route has a setting. */
        public Builder retention(Duration retention) {
            this.retention = retention;
            return this;
        }

        /** The headers that mark a replay, each with the value {@code true}; none for no mark. */
        public Builder markers(String... names) {
            this.markers =
                    Arrays.stream(names).map(each -> new Header(each, "true")).toList();
            return this;
        }

        /** A header of the first response and of its replays; {@code {key}} in the value is the key. */
        public Builder resultHeader(String name, String value) {
            resultHeaders.add(new Header(name, value));
            return this;
        }

        /**
         * The default body of errors: JSON with the placeholders {@code {code}}, {@code {status}}, {@code {title}},
         * {@code {detail}}, {@code {type}}, {@code {outcome}} and {@code {retry}}.
         */
        public Builder error(String contentType, String template) {
            this.error = new BodyTemplate(contentType, template);
            return this;
        }

        /** The status of a cause, and the API's code for it. */
        public Builder answer(ProblemType cause, int status, String code) {
            refusals.put(cause, new Refusal(status, code, null, List.of()));
            return this;
        }

        /** Like {@link #answer(ProblemType, int, String)}, with a separate body for this cause. */
        public Builder answer(ProblemType cause, int status, String code, String contentType, String template) {
            refusals.put(cause, new Refusal(status, code, new BodyTemplate(contentType, template), List.of()));
            return this;
        }

        /** Adds a header to the answer for a cause. Call {@code answer} for the cause first. */
        public Builder answerHeader(ProblemType cause, String name, String value) {
            Refusal before = refusals.get(cause);
            if (before == null) {
                throw new IllegalArgumentException("say how " + cause + " is answered before its header " + name);
            }
            refusals.put(cause, before.with(new Header(name, value)));
            return this;
        }

        /**
         * The URL of the page that describes problems, such as {@code https://docs.example.org/problems}. The {@code
         * type} of a problem is then a heading on this page, such as {@code #key-reused}, or a page below it if the URL
         * ends with a slash. By default, types are URNs.
         */
        public Builder problemPages(URI url) {
            if (!url.isAbsolute()) {
                throw new IllegalArgumentException("problems are described at an absolute URL, got " + url);
            }
            this.problemPages = url;
            return this;
        }

        public Dialect build() {
            if (maxKeyLength < 1 || maxKeyLength > Key.MAX_LENGTH) {
                throw new IllegalArgumentException("the longest key of dialect " + name + " must be between 1 and "
                        + Key.MAX_LENGTH + " characters, got " + maxKeyLength);
            }
            return new Dialect(this);
        }
    }
}
