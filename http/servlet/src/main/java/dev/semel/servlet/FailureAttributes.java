package dev.semel.servlet;

import jakarta.servlet.ServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The request attributes in which frameworks store the exception that they have converted to a response. */
record FailureAttributes(List<String> names) {

    @Nullable
    Throwable find(ServletRequest request) {
        for (String name : names) {
            if (request.getAttribute(name) instanceof Throwable failure) {
                return failure;
            }
        }
        return null;
    }
}
