package dev.semel.client;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The answer to an operation, and how it was obtained. */
public final class OperationResult {

    private final String key;
    private final RetryLoop.Result<HttpHeaders> result;

    OperationResult(String key, RetryLoop.Result<HttpHeaders> result) {
        this.key = key;
        this.result = result;
    }

    public String key() {
        return key;
    }

    public int status() {
        return result.answer().status();
    }

    public HttpHeaders headers() {
        return result.answer().response();
    }

    public byte[] body() {
        return result.answer().body();
    }

    /** The body, read as UTF-8. */
    public String text() {
        return new String(body(), StandardCharsets.UTF_8);
    }

    /** The problem details of a refusal; empty for a success, or if the body is not JSON. */
    public Optional<ProblemDetails> problem() {
        return status() >= 400 ? ProblemDetails.read(body()) : Optional.empty();
    }

    /** Whether the server said that this is the stored answer of an earlier attempt. */
    public boolean replayed() {
        return result.replayed();
    }

    /** Whether this is the outcome of the operation, rather than an answer to this request alone. */
    boolean definite() {
        return result.definite();
    }

    /** All requests that were sent for this answer; the last one received it. */
    public List<RequestAttempt> attempts() {
        return result.attempts();
    }

    @Override
    public String toString() {
        return status() + (replayed() ? " (replayed)" : "") + " after "
                + attempts().size() + " attempts";
    }
}
