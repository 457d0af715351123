package dev.semel.http;

import org.jspecify.annotations.Nullable;

/**
 * Finds the rules for a request.
 *
 * @param <R> the framework's request
 */
@FunctionalInterface
public interface RuleFinder<R> {

    /** The rules, or {@code null} if the request is none of Semel's business. */
    @Nullable
    HttpRules find(R request);
}
