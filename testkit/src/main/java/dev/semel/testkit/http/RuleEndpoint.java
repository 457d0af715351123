package dev.semel.testkit.http;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Operations of the sample application with rules of their own, each written as it is configured. They are served under
 * their path and everything below it, and a key is required.
 */
public enum RuleEndpoint {
    /** The key is in the JSON body. */
    BODY_KEY("/accounts/body-key", "json:/request_id"),
    /** The key is in a directive of the GraphQL document in the body. */
    GRAPHQL_KEY("/accounts/graphql-key", "graphql"),
    FORM_KEY("/accounts/form-key", "form:request_id"),
    QUERY_KEY("/accounts/query-key", "query:request_id"),
    /** The key is in one of two headers. */
    TWO_HEADERS("/accounts/two-headers", "header", "header:X-Request-Key"),
    /** The variables of the path are the key. */
    PATH_KEY("/accounts/path-key", "path:/accounts/path-key/{order}"),
    /** Fields of the body are the key. */
    NATURAL_KEY("/accounts/natural-key", "natural:/order"),
    /** The client sends no key. */
    BODY_HASH("/accounts/body-hash", "header", "body-hash"),
    /** Keys are UUIDs of version 7, and at most an hour old. */
    AGED_KEY("/accounts/aged-key", "header"),
    /** The member {@code /sign} of the response and its tag are never stored. */
    REDACTED("/accounts/redacted", "header"),
    /** A caller whose token ends with {@code .withdrawn} may not see what is stored. */
    WITHDRAWN("/accounts/withdrawn", "header"),
    /** Ends when the test says so; a client may ask to be answered before that. */
    SLOW_ASYNC("/slow/async", "header"),
    /** Answers with more than is kept; a client may ask to be answered before that. */
    LARGE_ASYNC("/large/async", "header"),
    /** Fails; a client may ask to be answered before that. */
    THROW_ASYNC("/throw/async", "header");

    /** How the token of a caller ends whose rights were withdrawn. */
    public static final String WITHDRAWN_TOKEN = ".withdrawn";

    /** The secret of body hashes. */
    public static final String SECRET = "a secret of more than 16 bytes";

    private final String path;
    private final List<String> keyFrom;

    RuleEndpoint(String path, String... keyFrom) {
        this.path = path;
        this.keyFrom = List.of(keyFrom);
    }

    /** The operation that serves this path, if there is one. */
    public static Optional<RuleEndpoint> of(String path) {
        return Arrays.stream(values())
                .filter(endpoint -> path.equals(endpoint.path) || path.startsWith(endpoint.path + "/"))
                .findFirst();
    }

    public String path() {
        return path;
    }

    public String operation() {
        return respondAsync()
                ? name().toLowerCase(Locale.ROOT).replace('_', '-')
                : path.substring(path.lastIndexOf('/') + 1);
    }

    /** Whether a client may ask to be answered before the handler has run. */
    public boolean respondAsync() {
        return path.endsWith("/async");
    }

    /** The parts of a response that are never stored. */
    public List<String> neverStore() {
        return this == REDACTED ? List.of("/sign", "header:ETag") : List.of();
    }

    /** The required form of keys. */
    public String keyFormat() {
        return this == AGED_KEY ? "uuidv7" : "any";
    }

    /** How old keys may be, if that matters. */
    public Optional<Duration> keyMaxAge() {
        return this == AGED_KEY ? Optional.of(Duration.ofHours(1)) : Optional.empty();
    }

    /** The source of the key. */
    public List<String> keyFrom() {
        return keyFrom;
    }
}
