package dev.semel.spring.web;

import dev.semel.http.dialect.Dialect;
import dev.semel.http.problem.Answer;
import dev.semel.servlet.SemelFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers requests of Spring MVC whose handler called an operation that returned no value, unless the application has
 * an exception handler for it. For a guarded request, the filter does that.
 */
final class NoValueResolver implements HandlerExceptionResolver, Ordered {

    private final Dialect dialect;

    NoValueResolver(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        Answer answer = response.isCommitted() || SemelFilter.entry(request).isPresent()
                ? null
                : NoValueAnswers.to(failure, dialect);
        if (answer == null) {
            return null;
        }
        try {
            WatchingHandlerAdapter.write(answer, response);
            return new ModelAndView();
        } catch (IOException e) {
            failure.addSuppressed(e);
            return null;
        }
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
