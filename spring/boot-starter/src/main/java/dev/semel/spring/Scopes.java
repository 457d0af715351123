package dev.semel.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Insists that the caller of a request can be known. */
final class Scopes {

    private Scopes() {}

    /** The application's extractor, if it has one; that one of several is not chosen by chance. */
    static <T> @Nullable T one(ObjectProvider<T> extractors, String type) {
        T one = extractors.getIfUnique();
        if (one == null && extractors.stream().findAny().isPresent()) {
            throw new SemelConfigurationException(
                    "There is more than one bean of type " + type + " that could say who is calling.",
                    "Mark one as @Primary, or remove the others.");
        }
        return one;
    }

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
