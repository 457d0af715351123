package dev.semel.spring;

import org.jspecify.annotations.Nullable;

/** Insists that the caller of a request can be known. */
final class Scopes {

    private Scopes() {}

    static void require(@Nullable Object extractor, String type) {
        if (extractor == null) {
            throw new SemelConfigurationException(
                    "A controller has @Idempotent, but nothing says who is calling: without that, one caller could read"
                            + " the responses of another by sending the same key.",
                    "Add Spring Security, whose principal is then the caller; or define a bean of type " + type
                            + " that names the caller by something that a client cannot choose; or, if the service has"
                            + " a single caller, name it with semel.scope.");
        }
    }
}
