package dev.semel.http.problem;

import java.net.URI;

/** The causes of answers that do not come from the application. The URIs are stable. */
public enum ProblemType {
    KEY_MISSING("key-missing", 400, "Idempotency key missing", "not-applied", "new-key"),
    KEY_INVALID("key-invalid", 400, "Idempotency key not valid", "not-applied", "new-key"),
    KEY_NOT_DERIVABLE("key-not-derivable", 400, "Key cannot be derived from the request", "not-applied", "new-key"),
    SIGNATURE_INVALID("signature-invalid", 401, "Signature not valid", "not-applied", "same-key"),
    CALLER_UNKNOWN("caller-unknown", 403, "Caller unknown", "not-applied", "same-key"),
    REPLAY_DENIED("replay-denied", 403, "Not allowed to see this response", "unknown", "never"),
    STATUS_NOT_FOUND("status-not-found", 404, "No such operation", "unknown", "never"),
    REQUEST_TIMED_OUT("request-timed-out", 408, "Request did not arrive in time", "not-applied", "same-key"),
    IN_FLIGHT("in-flight", 409, "Operation in flight", "pending", "same-key"),
    OUTCOME_UNKNOWN("outcome-unknown", 409, "Outcome unknown", "unknown", "same-key"),
    KEY_EXPIRED("key-expired", 410, "Idempotency key expired", "unknown", "never"),
    RESPONSE_NOT_RETAINED("response-not-retained", 410, "Response not retained", "applied", "never"),
    REQUEST_TOO_LARGE("request-too-large", 413, "Request too large", "not-applied", "new-key"),
    KEY_REUSED("key-reused", 422, "Idempotency key used for another request", "unknown", "new-key"),
    CALLER_OVER_LIMIT("caller-over-limit", 429, "Caller over its limit", "not-applied", "same-key"),
    OPERATION_FAILED("operation-failed", 500, "Operation failed", "unknown", "never"),
    UPSTREAM_UNREACHABLE("upstream-unreachable", 502, "Service not reachable", "not-applied", "same-key"),
    UPSTREAM_INTERRUPTED("upstream-interrupted", 502, "Service answer interrupted", "unknown", "same-key"),
    NOT_EXECUTED("not-executed", 503, "Operation not executed", "not-applied", "same-key"),
    STORE_UNAVAILABLE("store-unavailable", 503, "Idempotency store not available", "unknown", "same-key"),
    UPSTREAM_TIMED_OUT("upstream-timed-out", 504, "Service did not answer in time", "unknown", "same-key");

    private static final String PREFIX = "urn:semel:problem:";

    private final String slug;
    private final int status;
    private final String title;
    private final String outcome;
    private final String retry;

    ProblemType(String name, int status, String title, String outcome, String retry) {
        this.slug = name;
        this.status = status;
        this.title = title;
        this.outcome = outcome;
        this.retry = retry;
    }

    /** The {@code type} member, unless pages of the API describe its problems. */
    public String uri() {
        return PREFIX + slug;
    }

    /**
     * The {@code type} member if pages describe the problems: a heading on this page, or a separate page if the URL
     * ends with a slash.
     */
    public String uri(URI pages) {
        String base = pages.toASCIIString();
        return base.endsWith("/") || base.endsWith("#") ? base + slug : base + "#" + slug;
    }

    /** The last part of its URI, such as {@code key-reused}. */
    public String slug() {
        return slug;
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    /** What is known about the operation of the key: {@code not-applied}, {@code pending}, ... */
    public String outcome() {
        return outcome;
    }

    /** Whether a client may retry, and how: {@code same-key}, {@code new-key} or {@code never}. */
    public String retry() {
        return retry;
    }
}
