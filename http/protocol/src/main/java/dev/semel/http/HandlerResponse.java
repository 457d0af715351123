package dev.semel.http;

import dev.semel.Header;
import dev.semel.OutcomeUnknownException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The response of the application. */
public final class HandlerResponse {

    private static final int OK = 200;

    private final int status;
    private final List<Header> headers;
    private final byte @Nullable [] body;
    private final @Nullable Throwable failure;
    private final boolean entered;

    private HandlerResponse(
            int status, List<Header> headers, byte @Nullable [] body, @Nullable Throwable failure, boolean entered) {
        this.status = status;
        this.headers = List.copyOf(headers);
        this.body = body;
        this.failure = failure;
        this.entered = entered;
    }

    /**
     * A response from a handler that was entered.
     *
     * @param headers all headers; the rules choose which are stored
     * @param body the whole body, or {@code null} if it was too large to keep or could not be seen
     */
    public static HandlerResponse of(int status, List<Header> headers, byte @Nullable [] body) {
        return new HandlerResponse(status, headers, body, null, true);
    }

    public int status() {
        return status;
    }

    public List<Header> headers() {
        return headers;
    }

    /**
     * The body itself, not a copy: it must not be changed. {@code null} if it was too large to keep or could not be
     * seen.
     */
    public byte @Nullable [] body() {
        return body;
    }

    /**
     * The exception that the application's error handling converted to this response, if the adapter knows it. It
     * decides whether the key is settled, released, or left as unknown.
     */
    public @Nullable Throwable failure() {
        return failure;
    }

    /**
     * Whether the application's handler was entered. A request that something before it refused did not execute, and its
     * key is released.
     */
    public boolean entered() {
        return entered;
    }

    /** The same response, converted from this failure if it is not {@code null}. */
    public HandlerResponse withFailure(@Nullable Throwable cause) {
        return cause == null ? this : new HandlerResponse(status, headers, body, cause, entered);
    }

    /** The same response, from something that refused the request before its handler was entered. */
    public HandlerResponse notEntered() {
        return new HandlerResponse(status, headers, body, failure, false);
    }

    /** The same response, from a handler that has not finished its work. */
    HandlerResponse unfinished(String why) {
        return new HandlerResponse(status, headers, body, new OutcomeUnknownException(why, null), entered);
    }

    /**
     * Whether the handler ended with an exception that was not converted to a response, so that only the initial empty
     * 200 remains. Spring does this when it mistakes the broken connection of a downstream call for that of the client.
     */
    boolean isUnanswered() {
        return failure != null && entered && status == OK && body != null && body.length == 0;
    }

    /** Shows neither the headers nor the body. */
    @Override
    public String toString() {
        return "status " + status + (body == null ? ", body not kept" : ", " + body.length + " bytes");
    }
}
