package dev.semel.spring.web;

import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.util.ClassUtils;

/** Knows the exceptions with which Spring Security, if it is present, refuses a request before its handler runs. */
final class SecurityExceptions {

    static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.security.access.AccessDeniedException", SecurityExceptions.class.getClassLoader());

    private SecurityExceptions() {}

    static boolean isDenial(Throwable failure) {
        return PRESENT && Denials.contain(failure);
    }

    /** Loaded only where Spring Security is present. */
    private static final class Denials {

        static boolean contain(Throwable failure) {
            return failure instanceof AccessDeniedException || failure instanceof AuthenticationException;
        }
    }
}
