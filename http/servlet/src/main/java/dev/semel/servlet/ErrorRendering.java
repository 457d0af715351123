package dev.semel.servlet;

/** How the body of an error response is made, after {@code sendError} or an uncaught exception. */
public enum ErrorRendering {
    /** The filter does, as problem details (RFC 9457). */
    PROBLEM,
    /**
     * The application's error page does, in the container's {@code ERROR} dispatch, which the filter must be mapped to.
     * If there is no error page for it, the filter cannot see the container's default body, and does not replay it.
     */
    CONTAINER
}
