package dev.semel.servlet;

import jakarta.servlet.ServletException;

/** What a handler threw, without the wrapping of servlet containers and frameworks. */
final class Failures {

    private Failures() {}

    static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root instanceof ServletException && root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /** Throws anything as it is, under another name. */
    @SuppressWarnings("unchecked")
    static <E extends Throwable> E sneaky(Throwable failure) throws E {
        throw (E) failure;
    }
}
