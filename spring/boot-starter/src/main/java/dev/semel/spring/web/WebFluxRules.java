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
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodClassKey;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Finds the rules of the handler method that Spring WebFlux will choose for a request. */
final class WebFluxRules implements ReactiveRuleFinder, HandlerRules, SmartInitializingSingleton {

    private final Supplier<RequestMappingHandlerMapping> mappings;
    private final Supplier<HttpRulesFactory> factory;
    private final String prefix;
    private final Runnable requireScope;
    private volatile Map<MethodClassKey, HttpRules> rules = Map.of();

    WebFluxRules(
            Supplier<RequestMappingHandlerMapping> mappings,
            Supplier<HttpRulesFactory> factory,
            String prefix,
            Runnable requireScope) {
        this.mappings = mappings;
        this.factory = factory;
        this.prefix = prefix;
        this.requireScope = requireScope;
    }

    @Override
    public void afterSingletonsInstantiated() {
        rules = HttpRulesFactory.ofMarked(
                mappings.get().getHandlerMethods(),
                mapping -> mapping.getMethodsCondition().getMethods(),
                mapping -> new PathKeys(prefix, mapping.getPatternsCondition().getPatterns()),
                factory,
                requireScope);
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

    /** Whether requests to this handler are guarded. */
    boolean guards(HandlerMethod handler) {
        return rulesOf(handler) != null;
    }

    @Override
    public @Nullable HttpRules rulesOf(HandlerMethod handler) {
        return rules.get(HttpRulesFactory.operation(handler));
    }

    @Override
    public Mono<HttpRules> find(ServerWebExchange exchange) {
        if (rules.isEmpty()
                || HttpRulesFactory.isSafe(exchange.getRequest().getMethod().name())) {
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
                .mapNotNull(handler -> rules.get(HttpRulesFactory.operation(handler)));
    }
}
