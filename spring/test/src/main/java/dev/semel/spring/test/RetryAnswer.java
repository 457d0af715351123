package dev.semel.spring.test;

import java.net.http.HttpResponse;

/** The meaning of a response for a client that retries. */
public enum RetryAnswer {
    /** The operation is done. */
    DONE,
    /** The operation is not done, and will not be under this key. */
    REFUSED,
    /** It is unknown whether the operation is done; a reconciler or a person decides. */
    UNKNOWN,
    /** There is no answer yet: the client sends the same request again. */
    AGAIN;

    private static final int TOO_EARLY = 425;

    /**
     * Interprets the status, and the problem {@code outcome-unknown} of a conflict, for dialects that answer like the
     * draft.
     */
    public static RetryAnswer of(HttpResponse<String> response) {
        return switch (response.statusCode()) {
            case 409 -> response.body().contains("outcome-unknown") ? UNKNOWN : AGAIN;
            case TOO_EARLY, 429, 502, 503, 504 -> AGAIN;
            default -> response.statusCode() / 100 == 2 ? DONE : REFUSED;
        };
    }
}
