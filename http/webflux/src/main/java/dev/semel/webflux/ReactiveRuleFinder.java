package dev.semel.webflux;

import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Finds the rules for a request.
 *
 * <p>Rules are bound to their gate at their first request. Pass all of them to {@link HttpGate#validate} when the application
 * starts: until then, mistakes in them stay unseen, and keys that another process left behind are not resolved.
 */
@FunctionalInterface
public interface ReactiveRuleFinder {

    /** The rules; empty if Semel should ignore the request. Must not consume the body. */
    Mono<HttpRules> find(ServerWebExchange exchange);
}
