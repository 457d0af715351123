package dev.semel.spring.operation;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;

/** Knows result types whose work continues, or only starts, after the method has returned. */
public final class Asynchronous {

    private static final Set<String> TYPES = Set.of(
            "java.util.concurrent.Callable",
            "java.util.concurrent.CompletionStage",
            "java.util.concurrent.Flow$Publisher",
            "java.util.concurrent.Future",
            "org.reactivestreams.Publisher",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");
    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    private Asynchronous() {}

    /** Describes what is asynchronous about a method of the class; {@code null} if it is done when it returns. */
    public static @Nullable String in(Method method, Class<?> type) {
        return isSuspending(method) ? "is a suspending function" : in(ResolvableType.forMethodReturnType(method, type));
    }

    /** Whether the method is a suspending function of Kotlin. */
    public static boolean isSuspending(Method method) {
        return Stream.of(method.getParameterTypes())
                .anyMatch(parameter -> parameter.getName().equals(CONTINUATION));
    }

    /** Says in which way a value of the type is not done when it is returned, or {@code null} if it is done. */
    public static @Nullable String in(ResolvableType type) {
        return in(type, new HashSet<>());
    }

    private static @Nullable String in(ResolvableType type, Set<Type> seen) {
        if (is(type.toClass())) {
            return "returns " + type.toClass().getSimpleName();
        }
        // The bound of a type variable may contain the variable.
        return seen.add(type.getType())
                ? Stream.of(type.getGenerics())
                        .map(generic -> in(generic, seen))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null)
                : null;
    }

    public static boolean is(Class<?> type) {
        return ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null || isNamed(type);
    }

    private static boolean isNamed(@Nullable Class<?> type) {
        return type != null
                && (TYPES.contains(type.getName())
                        || isNamed(type.getSuperclass())
                        || Stream.of(type.getInterfaces()).anyMatch(Asynchronous::isNamed));
    }
}
