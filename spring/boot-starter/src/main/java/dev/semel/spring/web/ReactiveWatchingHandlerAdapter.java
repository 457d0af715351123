package dev.semel.spring.web;

import dev.semel.http.HandlerEntry;
import dev.semel.http.problem.Answer;
import dev.semel.webflux.SemelWebFilter;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.DispatchExceptionHandler;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Stands before the adapters of Spring WebFlux. It reports when a guarded handler is entered, and its exception before
 * an exception handler converts it to a response.
 */
final class ReactiveWatchingHandlerAdapter implements HandlerAdapter, Ordered {

    private final Predicate<HandlerMethod> guarded;
    private final SingletonSupplier<List<HandlerAdapter>> adapters;

    ReactiveWatchingHandlerAdapter(ApplicationContext context, Predicate<HandlerMethod> guarded) {
        this.guarded = guarded;
        this.adapters = SingletonSupplier.of(() -> WatchedHandlers.others(context, HandlerAdapter.class, this));
    }

    @Override
    public boolean supports(Object handler) {
        return handler instanceof HandlerMethod method && guarded.test(method);
    }

    @Override
    public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
        HandlerAdapter adapter = adapter(handler);
        HandlerEntry entry = exchange.getAttribute(SemelWebFilter.ENTRY);
        if (entry == null) {
            return adapter.handle(exchange, handler);
        }
        if (!(adapter instanceof RequestMappingHandlerAdapter)) {
            entry.enter();
            return adapter.handle(exchange, handler);
        }
        HandlerMethod method = (HandlerMethod) handler;
        Object produced = exchange.getAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE);
        if (EndlessStreams.onlyAsked(method, produced, accepted(exchange)) && entry.watch()) {
            return write(EndlessStreams.refusal(), exchange.getResponse()).then(Mono.empty());
        }
        return adapter.handle(exchange, WatchedHandlers.watch(method, entry)).map(result -> reporting(result, entry));
    }

    private static List<MediaType> accepted(ServerWebExchange exchange) {
        try {
            return exchange.getRequest().getHeaders().getAccept();
        } catch (InvalidMediaTypeException e) {
            // The framework refuses it when it looks for a type to answer with.
            return List.of();
        }
    }

    static Mono<Void> write(Answer answer, ServerHttpResponse response) {
        response.setRawStatusCode(answer.status());
        answer.headers().forEach(header -> response.getHeaders().set(header.name(), header.value()));
        return response.writeWith(Mono.just(response.bufferFactory().wrap(answer.body())));
    }

    /** What the handler has returned may fail when it is written. */
    private static HandlerResult reporting(HandlerResult result, HandlerEntry entry) {
        DispatchExceptionHandler rendering = result.getExceptionHandler();
        return rendering == null
                ? result
                : result.setExceptionHandler((exchange, failure) -> {
                    entry.fail(failure);
                    return rendering.handleError(exchange, failure);
                });
    }

    /** The adapter that the dispatcher would choose. */
    private HandlerAdapter adapter(Object handler) {
        return adapters.obtain().stream()
                .filter(adapter -> adapter.supports(handler))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no adapter supports the handler " + handler));
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
