package dev.semel.spring.web;

import dev.semel.http.HttpRules;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodClassKey;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;

/** The rules of handler methods, in MVC and WebFlux. */
abstract class HandlerRules implements SmartInitializingSingleton {

    private final Supplier<HttpRulesFactory> factory;
    private final Runnable requireScope;
    private volatile Map<MethodClassKey, HttpRules> rules = Map.of();

    HandlerRules(Supplier<HttpRulesFactory> factory, Runnable requireScope) {
        this.factory = factory;
        this.requireScope = requireScope;
    }

    /** Makes the rules of those handlers that are marked. */
    final <M> void make(
            Map<M, HandlerMethod> handlers, Function<M, Set<RequestMethod>> httpMethods, Function<M, PathKeys> paths) {
        rules = HttpRulesFactory.ofMarked(handlers, httpMethods, paths, factory, requireScope);
    }

    /** Whether a request of this method may be guarded. */
    final boolean mayGuard(String httpMethod) {
        return !rules.isEmpty() && !HttpRulesFactory.isSafe(httpMethod);
    }

    /** The rules of a handler; {@code null} if it is not guarded. */
    final @Nullable HttpRules rulesOf(HandlerMethod handler) {
        return rules.get(HttpRulesFactory.operation(handler));
    }

    /** Whether requests to this handler are guarded. */
    final boolean guards(HandlerMethod handler) {
        return rulesOf(handler) != null;
    }
}
