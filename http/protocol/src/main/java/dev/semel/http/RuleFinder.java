package dev.semel.http;

import org.jspecify.annotations.Nullable;

/**
 * Says which rules a request falls under.
 *
 * @param <R> the framework's request
 */
@FunctionalInterface
public interface RuleFinder<R> {

    /** The rules, or {@code null} if the request is none of Semel's business. */
    @Nullable
    HttpRules find(R request);
}
