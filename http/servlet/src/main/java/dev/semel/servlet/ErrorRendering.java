package dev.semel.servlet;

/** Who makes the body of a response to {@code sendError}, or to an uncaught exception. */
public enum ErrorRendering {
    /** The filter does, as problem details (RFC 9457). */
    PROBLEM,
    /**
     * The application's error page does, in the container's {@code ERROR} dispatch, which the filter must be mapped to.
     * Where there is no error page for it, what the container makes by itself cannot be seen, and is not replayed.
     */
    CONTAINER
}
