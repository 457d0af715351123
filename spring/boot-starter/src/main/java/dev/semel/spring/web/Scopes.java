package dev.semel.spring.web;

import dev.semel.spring.operation.SemelConfigurationException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Chooses the extractor that identifies callers, and requires one.
 *
 * @param <T> the type of the extractor
 * @param type the name of the extractor's type
 * @param extractors the extractors of the application
 * @param single the one caller that all requests come from, if it is configured
 * @param named creates an extractor that always returns this caller
 * @param principal names the Spring Security principal
 */
record Scopes<T>(
        String type, ObjectProvider<T> extractors, @Nullable String single, Function<String, T> named, T principal) {

    /** The application's extractor, if it has one, and otherwise what is configured; {@code null} if nothing identifies callers. */
    @Nullable
    T find() {
        T own = own();
        if (own != null) {
            return own;
        }
        return single != null ? named.apply(single) : SecurityExceptions.PRESENT ? principal : null;
    }

    /** The application's extractor, if it has one; with several, startup fails instead of choosing one at random. */
    private @Nullable T own() {
        T one = extractors.getIfUnique();
        if (one == null && extractors.stream().findAny().isPresent()) {
            throw new SemelConfigurationException(
                    "There is more than one bean of type " + type + " that could say who is calling.",
                    "Mark one as @Primary, or remove the others.");
        }
        return one;
    }

    /**
     * Refuses requests without a known caller, and a single caller where Spring Security distinguishes callers: each
     * of them would get the responses of all others by sending their keys.
     */
    void require(boolean secured) {
        require(find(), type);
        if (single != null && secured && extractors.stream().findAny().isEmpty()) {
            throw new SemelConfigurationException(
                    "semel.scope says that all requests come from one caller, \"" + single
                            + "\", but Spring Security authenticates callers: each of them could read the responses of"
                            + " the others by sending the same key.",
                    "Remove semel.scope: the Spring Security principal is then the caller. If all principals are"
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
