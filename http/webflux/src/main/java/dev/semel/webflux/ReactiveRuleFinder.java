package dev.semel.webflux;

import dev.semel.http.HttpRules;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Finds the rules for a request. */
@FunctionalInterface
public interface ReactiveRuleFinder {

    /** The rules; empty if the request is none of Semel's business. Must not consume the body. */
    Mono<HttpRules> find(ServerWebExchange exchange);
}
