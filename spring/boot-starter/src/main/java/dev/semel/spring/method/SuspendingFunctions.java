package dev.semel.spring.method;

import dev.semel.spring.operation.Asynchronous;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import org.springframework.core.GenericTypeResolver;
import org.springframework.util.ClassUtils;

/** Functions of Kotlin whose last parameter is a continuation, which takes their result. */
final class SuspendingFunctions {

    /** Whether Spring converts such a function to a Mono, so that it can be intercepted. */
    private static final boolean INTERCEPTED =
            ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", SuspendingFunctions.class.getClassLoader());

    private static final String UNIT = "kotlin.Unit";

    private SuspendingFunctions() {}

    static boolean canRun(Method method) {
        return INTERCEPTED && Asynchronous.isSuspending(method);
    }

    /** The result type of the function, from its parameter {@code Continuation<? super T>}. */
    static Type result(Method method, Class<?> type) {
        int last = method.getParameterCount() - 1;
        ParameterizedType continuation = (ParameterizedType) method.getGenericParameterTypes()[last];
        Type taken = continuation.getActualTypeArguments()[0];
        Type result = taken instanceof WildcardType wildcard ? wildcard.getLowerBounds()[0] : taken;
        return result.getTypeName().equals(UNIT) ? void.class : GenericTypeResolver.resolveType(result, type);
    }
}
