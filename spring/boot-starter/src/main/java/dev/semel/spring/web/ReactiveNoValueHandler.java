package dev.semel.spring.web;

import dev.semel.http.dialect.Dialect;
import dev.semel.http.problem.Answer;
import dev.semel.webflux.SemelWebFilter;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * Answers requests of Spring WebFlux whose handler called an operation that returned no value, unless the application
 * has an exception handler for it. For a guarded request, the filter does that.
 */
final class ReactiveNoValueHandler implements WebExceptionHandler, Ordered {

    /** Before the handler of Spring Boot, which takes everything and has the order -1. */
    private static final int ORDER = -2;

    private final Dialect dialect;

    ReactiveNoValueHandler(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        Answer answer = exchange.getResponse().isCommitted() || exchange.getAttribute(SemelWebFilter.ENTRY) != null
                ? null
                : NoValueAnswers.to(failure, dialect);
        return answer == null
                ? Mono.error(failure)
                : ReactiveWatchingHandlerAdapter.write(answer, exchange.getResponse());
    }

    @Override
    public int getOrder() {
        return ORDER;
    }
}
