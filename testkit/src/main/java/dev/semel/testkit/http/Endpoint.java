package dev.semel.testkit.http;

import dev.semel.policy.Duplicates;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.policy.Retention;
import dev.semel.policy.WhenStoreIsDown;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The operations of the sample application. Each is served under its path and all paths
 * below it, and has the standard rules for its policy, except as defined here.
 */
public enum Endpoint {
    CHARGE("/charge"),
    ACCOUNTS("/accounts"),
    /** A key is not required. */
    OPTIONAL("/optional"),
    /** Only the quoted form of the header is accepted. */
    STRICT("/strict"),
    /** The member {@code /sentAt} of the body does not count. */
    FIELDS("/fields"),
    /** Ends when the test says so. */
    SLOW("/slow"),
    /** Like {@link #SLOW}; duplicates wait. */
    WAIT("/wait"),
    /** Like {@link #SLOW}; duplicates give up after a short wait. */
    GIVE_UP("/give-up"),
    /** Like {@link #SLOW}; a client may ask for up to a minute of waiting. */
    PREFER("/prefer"),
    /** Like {@link #SLOW}; duplicates get the address of the outcome. */
    ACCEPTED("/accepted"),
    /** Answers with the status in the parameter {@code code}, and a body. */
    STATUS("/status"),
    /** Answers with the status in the parameter {@code code} the way the framework does for errors. */
    SEND_ERROR("/send-error"),
    /** Throws an exception that is not caught. */
    THROW("/throw"),
    /** The first run throws {@link dev.semel.NotExecutedException}. */
    NOT_EXECUTED("/not-executed"),
    /** The first run throws {@link SampleService.Busy}, which the policy says means not executed. */
    BUSY("/busy"),
    /** Throws {@link dev.semel.OutcomeUnknownException}. */
    UNKNOWN("/unknown"),
    /** Answers with as many bytes as the parameter {@code size} says; at most 100,000 are kept. */
    LARGE("/large"),
    GZIP("/gzip"),
    /** Answers in several pieces, with a flush after each. */
    CHUNKED("/chunked"),
    EMPTY("/empty"),
    NO_CONTENT("/no-content"),
    /** Answers from another thread, later. */
    ASYNC("/async"),
    /** Like {@link #ASYNC}, with an error. */
    ASYNC_ERROR("/async-error"),
    /** Keys are kept for a moment. */
    BRIEF("/brief"),
    /** Keys are kept for a moment, and then as tombstones. */
    TOMBSTONE("/tombstone"),
    /** Runs again after its owner has died. */
    RE_EXECUTE("/re-execute"),
    /** Runs unprotected while the store is down. */
    FAIL_OPEN("/fail-open"),
    /** Responses say until when their key is kept. */
    EXPIRES("/expires");

    /** The documentation page that the problems of every operation link to. */
    public static final URI DOCUMENTATION = URI.create("https://example.com/idempotency");

    /** The path of the status resource. */
    public static final String STATUS_PATH = "/operations";

    static final int MAX_PAYLOAD = 100_000;
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration MOMENT = Duration.ofMillis(500);

    private final String path;

    Endpoint(String path) {
        this.path = path;
    }

    /** The path prefix of operations that are served in a dialect, as in {@code /in/stripe/charge}. */
    public static final String IN_DIALECT = "/in/";

    /** The operations that are served in every dialect. */
    public static final List<Endpoint> IN_DIALECTS = List.of(CHARGE, SLOW, STATUS);

    /** The dialect in a path, if there is one. */
    public static Optional<String> dialectOf(String path) {
        return path.startsWith(IN_DIALECT)
                ? Optional.of(path.substring(IN_DIALECT.length(), path.indexOf('/', IN_DIALECT.length())))
                : Optional.empty();
    }

    /** The operation that serves this path, if there is one, in any dialect. */
    public static Optional<Endpoint> of(String address) {
        String path = dialectOf(address)
                .map(dialect -> address.substring(IN_DIALECT.length() + dialect.length()))
                .orElse(address);
        return Arrays.stream(values())
                .filter(endpoint -> path.equals(endpoint.path) || path.startsWith(endpoint.path + "/"))
                .findFirst();
    }

    public String path() {
        return path;
    }

    /** The path of this operation in a dialect. */
    public String path(String dialect) {
        return IN_DIALECT + dialect + path;
    }

    /**
     * The policy of this operation in a dialect.
     *
     * @param resumes whether it may run again
     */
    public ExternalPolicy policy(String dialect, boolean resumes) {
        ExternalPolicy.Builder policy = Policy.external(dialect + path.replace('/', ':'));
        if (resumes) {
            policy.recovery(Recovery.RE_EXECUTE);
        }
        return (this == STATUS ? policy.lease(MOMENT) : policy).build();
    }

    public ExternalPolicy policy() {
        return adapted(Policy.external(path.substring(1))).build();
    }

    private ExternalPolicy.Builder adapted(ExternalPolicy.Builder policy) {
        return switch (this) {
            case WAIT -> policy.duplicates(Duplicates.waitFor(LONG));
            case GIVE_UP -> policy.duplicates(Duplicates.waitFor(MOMENT));
            case ACCEPTED -> policy.duplicates(Duplicates.accepted());
            case BUSY -> policy.notExecuted(failure -> failure instanceof SampleService.Busy);
            case LARGE -> policy.maxPayload(MAX_PAYLOAD);
            case BRIEF -> policy.lease(MOMENT).retention(MOMENT);
            case TOMBSTONE ->
                policy.lease(MOMENT).retention(Retention.of(MOMENT).withTombstone(LONG));
            case RE_EXECUTE -> policy.recovery(Recovery.RE_EXECUTE);
            case FAIL_OPEN -> policy.whenStoreIsDown(WhenStoreIsDown.OPEN);
            default -> policy;
        };
    }

    public boolean keyRequired() {
        return this != OPTIONAL;
    }

    public boolean strictHeader() {
        return this == STRICT;
    }

    public boolean publishExpiry() {
        return this == EXPIRES;
    }

    /** JSON Pointers to the parts of the body that the fingerprint ignores. */
    public List<String> ignoredFields() {
        return this == FIELDS ? List.of("/sentAt") : List.of();
    }

    public Duration maxPreferredWait() {
        return this == PREFER ? LONG : Duration.ZERO;
    }
}
