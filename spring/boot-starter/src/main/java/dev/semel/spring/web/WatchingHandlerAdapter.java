package dev.semel.spring.web;

import dev.semel.http.HandlerEntry;
import dev.semel.http.problem.Answer;
import dev.semel.servlet.SemelFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/**
 * Stands before the adapters of Spring MVC and reports when a guarded handler is entered. As an interceptor, behind all
 * others, it reports that nothing else stands before the handler, in case another adapter is asked.
 */
final class WatchingHandlerAdapter implements HandlerAdapter, HandlerInterceptor, Ordered {

    private final Predicate<HandlerMethod> guarded;
    private final SingletonSupplier<List<HandlerAdapter>> adapters;

    WatchingHandlerAdapter(ApplicationContext context, Predicate<HandlerMethod> guarded) {
        this.guarded = guarded;
        this.adapters = SingletonSupplier.of(() -> WatchedHandlers.others(context, HandlerAdapter.class, this));
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        // Not for the handler of an error page, which comes by here when a request was refused.
        if (supports(handler)) {
            SemelFilter.entry(request).ifPresent(HandlerEntry::assume);
        }
        return true;
    }

    @Override
    public boolean supports(Object handler) {
        return handler instanceof HandlerMethod method && guarded.test(method);
    }

    @Override
    public @Nullable ModelAndView handle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws Exception {
        HandlerAdapter adapter = adapter(handler);
        HandlerEntry entry = SemelFilter.entry(request).orElseGet(HandlerEntry::unreported);
        if (!(adapter instanceof RequestMappingHandlerAdapter)) {
            entry.enter();
            return adapter.handle(request, response, handler);
        }
        HandlerMethod method = (HandlerMethod) handler;
        Object produced = request.getAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE);
        List<MediaType> accepted = accepted(request);
        if (EndlessStreams.onlyAsked(method, produced, accepted) && entry.watch()) {
            write(EndlessStreams.refusal(), response);
            return null;
        }
        if (EndlessStreams.mayBe(method, produced, accepted)) {
            entry.stream();
        }
        return adapter.handle(request, response, WatchedHandlers.watch(method, entry));
    }

    private static List<MediaType> accepted(HttpServletRequest request) {
        try {
            return MediaType.parseMediaTypes(Collections.list(request.getHeaders(HttpHeaders.ACCEPT)));
        } catch (InvalidMediaTypeException e) {
            // The framework refuses it when it looks for a type to answer with.
            return List.of();
        }
    }

    static void write(Answer answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(header -> response.setHeader(header.name(), header.value()));
        response.getOutputStream().write(answer.body());
    }

    /** The adapter that the dispatcher would choose. */
    private HandlerAdapter adapter(Object handler) {
        return adapters.obtain().stream()
                .filter(adapter -> adapter.supports(handler))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no adapter supports the handler " + handler));
    }

    /** Spring Framework 6 asks for this; it is for requests that change nothing. */
    @SuppressWarnings("unused")
    public long getLastModified(HttpServletRequest request, Object handler) {
        return -1;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
