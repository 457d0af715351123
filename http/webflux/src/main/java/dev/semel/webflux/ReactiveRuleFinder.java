package dev.semel.webflux;

import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Finds the rules for a request.
 *
 * <p>Name all rules in {@link HttpGate.Builder#rules} as well. Others are bound at their first request: until then, mistakes in
 * them stay unseen, and keys that another process left behind are not resolved.
 */
@FunctionalInterface
public interface ReactiveRuleFinder {

    /** The rules; empty if Semel should ignore the request. Must not consume the body. */
    Mono<HttpRules> find(ServerWebExchange exchange);
}
