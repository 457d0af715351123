package dev.semel.http;

import org.jspecify.annotations.Nullable;

/**
 * Finds the rules for a request.
 *
 * <p>Rules are bound to their gate at their first request. Pass all of them to {@link HttpGate#validate} when the application
 * starts: until then, mistakes in them stay unseen, and keys that another process left behind are not resolved.
 *
 * @param <R> the framework's request
 */
@FunctionalInterface
public interface RuleFinder<R> {

    /** The rules, or {@code null} if Semel should ignore the request. */
    @Nullable
    HttpRules find(R request);
}
