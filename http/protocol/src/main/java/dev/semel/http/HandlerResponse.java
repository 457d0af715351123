package dev.semel.http;

import dev.semel.Header;
import dev.semel.OutcomeUnknownException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the application answered.
 *
 * @param headers all headers; the rules choose which of them are stored
 * @param body the whole body, or {@code null} if it was too large to keep
 * @param failure the exception that the application's error handling turned into this response, where the adapter
 *     knows it; it decides whether the key is settled, released, or left as unknown
 * @param entered whether the application's handler was entered; a request that something before it refused did not
 *     execute, and its key is released
 */
public record HandlerResponse(
        int status,
        List<Header> headers,
        byte @Nullable [] body,
        @Nullable Throwable failure,
        boolean entered) {

    private static final int OK = 200;

    public HandlerResponse {
        headers = List.copyOf(headers);
    }

    public HandlerResponse(int status, List<Header> headers, byte @Nullable [] body) {
        this(status, headers, body, null);
    }

    public HandlerResponse(int status, List<Header> headers, byte @Nullable [] body, @Nullable Throwable failure) {
        this(status, headers, body, failure, true);
    }

    /** The same response, from something that refused the request before its handler was entered. */
    public HandlerResponse notEntered() {
        return new HandlerResponse(status, headers, body, failure, false);
    }

    /** The same response, of a handler that has not done all of its work. */
    HandlerResponse unfinished(String why) {
        return new HandlerResponse(status, headers, body, new OutcomeUnknownException(why, null), entered);
    }

    /** A response whose body was too large to keep, or could not be seen. */
    public static HandlerResponse withoutBody(int status, List<Header> headers, @Nullable Throwable failure) {
        return new HandlerResponse(status, headers, null, failure);
    }

    /**
     * Whether the handler ended with an exception that was not turned into a response: what is left is the empty 200 that
     * a response begins as. Spring leaves it like that when it takes the broken connection of a downstream call for that
     * of the client.
     */
    boolean isUnanswered() {
        return failure != null && entered && status == OK && body != null && body.length == 0;
    }
}
