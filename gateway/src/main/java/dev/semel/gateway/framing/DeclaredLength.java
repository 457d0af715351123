package dev.semel.gateway.framing;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/** Counts the bytes of a body against its Content-Length, which HTTP/2 carries beside its frames. */
public final class DeclaredLength {

    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private final long declared;
    private final boolean ends;
    private long seen;

    private DeclaredLength(long declared, boolean ends) {
        this.declared = declared;
        this.ends = ends;
    }

    /** The declared length of a request; without one, any number of bytes is accepted. */
    public static DeclaredLength of(HttpServerRequest request) {
        return of(request.headers(), request.version());
    }

    static DeclaredLength of(MultiMap headers, HttpVersion version) {
        @Nullable String length = headers.get("Content-Length");
        try {
            return new DeclaredLength(length == null ? -1 : Long.parseLong(length), version != HttpVersion.HTTP_2);
        } catch (NumberFormatException e) {
            throw new FramingException("Content-Length is not one number");
        }
    }

    /** The declared length of a response, unless it has no body. */
    public static DeclaredLength of(HttpClientResponse response) {
        boolean bodiless = response.request().getMethod().equals(HttpMethod.HEAD)
                || response.statusCode() == NO_CONTENT
                || response.statusCode() == NOT_MODIFIED;
        return bodiless ? any() : of(response.headers(), response.version());
    }

    /** For a message whose length does not describe its body, such as the response to HEAD. */
    public static DeclaredLength any() {
        return new DeclaredLength(-1, false);
    }

    /** Counts bytes, and fails if they are more than there should be. */
    public void add(long bytes) {
        seen += bytes;
        if (declared >= 0 && seen > declared) {
            throw new FramingException("a body is longer than its Content-Length of " + declared);
        }
    }

    /** Whether the message is over: in HTTP/2, trailers may follow the last byte, or more than was declared. */
    public boolean endsMessage() {
        return ends && seen == declared;
    }

    /** Fails if bytes are missing. */
    public void end() {
        if (declared >= 0 && seen < declared) {
            throw new FramingException("a body ended after " + seen + " bytes, and its Content-Length is " + declared);
        }
    }
}
