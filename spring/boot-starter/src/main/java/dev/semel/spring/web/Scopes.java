package dev.semel.spring.web;

import dev.semel.spring.operation.SemelConfigurationException;
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

    /**
     * Refuses a single caller where Spring Security tells callers apart: each of them would get the responses of all others
     * by sending their keys.
     */
    static void requireNoOtherCallers(@Nullable String single, boolean secured, String type) {
        if (single != null && secured) {
            throw new SemelConfigurationException(
                    "semel.scope says that all requests come from one caller, \"" + single
                            + "\", but Spring Security authenticates callers: each of them could read the responses of"
                            + " the others by sending the same key.",
                    "Remove semel.scope: the principal of Spring Security is then the caller. If all principals are"
                            + " one caller for you, say so in a bean of type " + type + " that returns its name.");
        }
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
