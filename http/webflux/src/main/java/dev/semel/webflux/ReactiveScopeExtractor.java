package dev.semel.webflux;

import java.security.Principal;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Identifies the caller of a request. Two requests of one caller must give the same scope, also when its token was refreshed in
 * between, and no caller may be able to choose another's: take the authenticated principal, never a header that the
 * client writes.
 */
@FunctionalInterface
public interface ReactiveScopeExtractor {

    /** The caller; empty if it is unknown: the request is then refused. */
    Mono<String> scope(ServerWebExchange exchange);

    /** The name of the authenticated principal. */
    static ReactiveScopeExtractor principal() {
        return exchange -> exchange.getPrincipal().map(Principal::getName);
    }

    /** For services with a single caller: all requests share their keys. */
    static ReactiveScopeExtractor fixed(String scope) {
        return exchange -> Mono.just(scope);
    }
}
