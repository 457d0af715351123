package dev.semel.spring.web;

import dev.semel.Attempt;
import dev.semel.webflux.SemelWebFilter;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Gives handler methods of Spring WebFlux their {@link Attempt}; {@code null} where the request is not guarded. */
final class ReactiveAttemptResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Attempt.class;
    }

    @Override
    public Mono<Object> resolveArgument(MethodParameter parameter, BindingContext context, ServerWebExchange exchange) {
        return Mono.justOrEmpty(exchange.<Object>getAttribute(SemelWebFilter.ATTEMPT));
    }
}
