package dev.semel.http;

import org.jspecify.annotations.Nullable;

/**
 * Finds the rules for a request.
 *
 * <p>Name all rules in {@link HttpGate.Builder#rules} as well. Others are bound at their first request: until then, mistakes in
 * them stay unseen, and keys that another process left behind are not resolved.
 *
 * @param <R> the framework's request
 */
@FunctionalInterface
public interface RuleFinder<R> {

    /** The rules, or {@code null} if Semel should ignore the request. */
    @Nullable
    HttpRules find(R request);
}
