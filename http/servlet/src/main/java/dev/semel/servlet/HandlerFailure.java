package dev.semel.servlet;

import jakarta.servlet.ServletException;

/** A handler's exception, without the wrappers of servlet containers and frameworks. */
final class HandlerFailure {

    private HandlerFailure() {}

    static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root instanceof ServletException && root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
