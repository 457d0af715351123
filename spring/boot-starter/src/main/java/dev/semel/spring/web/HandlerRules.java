package dev.semel.spring.web;

import dev.semel.http.HttpRules;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;

/** The rules of handler methods, in MVC and WebFlux. */
interface HandlerRules {

    /** The rules of a handler; {@code null} if it is not guarded. */
    @Nullable
    HttpRules rulesOf(HandlerMethod handler);
}
