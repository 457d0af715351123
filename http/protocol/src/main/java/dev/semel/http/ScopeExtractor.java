package dev.semel.http;

import org.jspecify.annotations.Nullable;

/**
 * Identifies the caller of a request. Two requests of one caller must give the same scope, also when its token was refreshed in
 * between, and no caller may be able to choose another's: take the authenticated principal, never a header that the
 * client writes.
 *
 * @param <R> the framework's request
 */
@FunctionalInterface
public interface ScopeExtractor<R> {

    /** The caller, or {@code null} if it is unknown: the request is then refused. */
    @Nullable
    String scope(R request);

    /** For services with a single caller: all requests share their keys. */
    static <R> ScopeExtractor<R> fixed(String scope) {
        return request -> scope;
    }
}
