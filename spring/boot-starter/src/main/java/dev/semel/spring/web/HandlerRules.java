package dev.semel.spring.web;

import dev.semel.http.HttpRules;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;

/** The rules of handler methods, whichever kind of Spring application they are in. */
interface HandlerRules {

    /** The rules of a handler; {@code null} if it is not guarded. */
    @Nullable
    HttpRules rulesOf(HandlerMethod handler);
}
