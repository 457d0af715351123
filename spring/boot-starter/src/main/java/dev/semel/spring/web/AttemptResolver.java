package dev.semel.spring.web;

import dev.semel.Attempt;
import dev.semel.servlet.SemelFilter;
import jakarta.servlet.ServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** Gives handler methods of Spring MVC their {@link Attempt}; {@code null} where the request is not guarded. */
final class AttemptResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Attempt.class;
    }

    @Override
    public @Nullable Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binders) {
        ServletRequest servletRequest = request.getNativeRequest(ServletRequest.class);
        return servletRequest == null
                ? null
                : SemelFilter.attempt(servletRequest).orElse(null);
    }
}
