package dev.semel.spring.method;

import dev.semel.Attempt;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** A call of a method that is to run under a key. */
public final class InterceptedCall {

    private InterceptedCall() {}

    /** The class of the bean whose method is called. */
    public static Class<?> targetClass(ProxyMethodInvocation invocation) {
        Object target = invocation.getThis();
        return target == null ? invocation.getMethod().getDeclaringClass() : target.getClass();
    }

    /**
     * Goes on to the method, with the attempt as one of its arguments.
     *
     * @param attemptAt the index of the parameter that takes the attempt, or -1
     */
    public static @Nullable Object proceed(ProxyMethodInvocation invocation, int attemptAt, Attempt attempt)
            throws Exception {
        @Nullable Object[] arguments = invocation.getArguments().clone();
        if (attemptAt >= 0) {
            arguments[attemptAt] = attempt;
        }
        try {
            // A clone, since the rest of the chain may run on another thread, when this one has long gone on, and a
            // message
            // is offered again on the same invocation.
            return invocation.invocableClone(arguments).proceed();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(
                    "the method threw a Throwable that is neither an exception nor an error", e);
        }
    }
}
