package dev.semel.spring.web;

import dev.semel.http.HttpRules;
import dev.semel.http.RuleFinder;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Finds the rules of the handler method that Spring MVC will choose for a request. */
final class MvcRules extends HandlerRules implements RuleFinder<HttpServletRequest> {

    private static final String REPORTS_ENTRY = "dev.semel.spring.reports-entry";

    private final Supplier<RequestMappingHandlerMapping> mappings;
    private final Supplier<String> prefix;

    MvcRules(
            Supplier<RequestMappingHandlerMapping> mappings,
            Supplier<HttpRulesFactory> factory,
            Supplier<String> prefix,
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
                mapping -> new PathKeys(prefix.get(), patterns(mapping)));
    }

    private static Collection<PathPattern> patterns(RequestMappingInfo mapping) {
        PathPatternsRequestCondition parsed = mapping.getPathPatternsCondition();
        return parsed == null
                ? mapping.getPatternValues().stream()
                        .map(PathPatternParser.defaultInstance::parse)
                        .toList()
                : parsed.getPatterns();
    }

    /** Whether it is reported when the handler of this request, which was found before, is entered. */
    static boolean reportsEntry(HttpServletRequest request) {
        return request.getAttribute(REPORTS_ENTRY) != null;
    }

    @Override
    public @Nullable HttpRules find(HttpServletRequest request) {
        if (!mayGuard(request.getMethod())) {
            return null;
        }
        try {
            HttpServletRequest looking = new LookingRequest(request);
            ServletRequestPathUtils.parseAndCache(looking);
            HandlerExecutionChain chain = mappings.get().getHandler(looking);
            if (chain == null || !(chain.getHandler() instanceof HandlerMethod handler)) {
                return null;
            }
            if (chain.getInterceptorList().stream().anyMatch(WatchingHandlerAdapter.class::isInstance)) {
                request.setAttribute(REPORTS_ENTRY, true);
            }
            return rulesOf(handler);
        } catch (Exception e) {
            // Not a request that a handler takes, and the dispatcher will say so again, to the client.
            return null;
        }
    }

    /** Keeps what looking for a handler leaves in the attributes away from the request. */
    private static final class LookingRequest extends HttpServletRequestWrapper {

        private final Map<String, Object> attributes = new HashMap<>();

        LookingRequest(HttpServletRequest request) {
            super(request);
        }

        @Override
        public @Nullable Object getAttribute(String name) {
            Object own = attributes.get(name);
            return own == null ? super.getAttribute(name) : own;
        }

        @Override
        public void setAttribute(String name, @Nullable Object value) {
            if (value == null) {
                attributes.remove(name);
            } else {
                attributes.put(name, value);
            }
        }

        @Override
        public void removeAttribute(String name) {
            attributes.remove(name);
        }

        @Override
        public Enumeration<String> getAttributeNames() {
            return Collections.enumeration(attributes.keySet());
        }
    }
}
