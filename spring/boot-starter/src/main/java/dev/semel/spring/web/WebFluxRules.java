package dev.semel.spring.web;

import dev.semel.http.HttpRules;
import dev.semel.spring.operation.Asynchronous;
import dev.semel.spring.operation.Policies;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.webflux.ReactiveRuleFinder;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Finds the rules of the handler method that Spring WebFlux will choose for a request. */
final class WebFluxRules extends HandlerRules implements ReactiveRuleFinder {

    private final Supplier<RequestMappingHandlerMapping> mappings;
    private final String prefix;

    WebFluxRules(
            Supplier<RequestMappingHandlerMapping> mappings,
            Supplier<HttpRulesFactory> factory,
            String prefix,
            Runnable requireScope) {
        super(factory, requireScope);
        this.mappings = mappings;
        this.prefix = prefix;
    }

    @Override
    public void afterSingletonsInstantiated() {
        make(
                mappings.get().getHandlerMethods(),
                mapping -> mapping.getMethodsCondition().getMethods(),
                mapping -> new PathKeys(prefix, mapping.getPatternsCondition().getPatterns()));
        mappings.get().getHandlerMethods().values().stream()
                .filter(this::guards)
                .forEach(handler -> requireWatchable(handler.getMethod(), handler.getBeanType()));
    }

    /** What a handler throws before it returns can be seen in no other way before an exception handler renders it. */
    private static void requireWatchable(Method method, Class<?> type) {
        String obstacle = WatchedHandlers.obstacle(method, type);
        if (obstacle != null && !Asynchronous.isSuspending(method)) {
            throw new SemelConfigurationException(
                    "@Idempotent on the handler method " + Policies.describe(method, type) + ", but Semel cannot"
                            + " see whether it is entered and what it throws, because " + obstacle + ".",
                    "Remove the modifier.");
        }
    }

    @Override
    public Mono<HttpRules> find(ServerWebExchange exchange) {
        if (!mayGuard(exchange.getRequest().getMethod().name())) {
            return Mono.empty();
        }
        Map<String, Object> before = new HashMap<>(exchange.getAttributes());
        return mappings.get()
                .getHandler(exchange)
                // Not a request that a handler takes, and the dispatcher will say so again, to the client.
                .onErrorResume(Exception.class, refused -> Mono.empty())
                .doOnTerminate(() -> {
                    exchange.getAttributes().clear();
                    exchange.getAttributes().putAll(before);
                })
                .ofType(HandlerMethod.class)
                .mapNotNull(this::rulesOf);
    }
}
