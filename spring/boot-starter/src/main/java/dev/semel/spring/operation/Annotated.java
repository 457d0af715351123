package dev.semel.spring.operation;

import dev.semel.spring.Idempotent;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds the annotation of a method: its own, or its class's. */
public final class Annotated {

    private Annotated() {}

    /** The annotation of the method, as the class has it, or {@code null}. */
    public static @Nullable Idempotent own(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class);
    }

    /** The annotation of the class, or {@code null}. */
    public static @Nullable Idempotent ofClass(Class<?> type) {
        return AnnotatedElementUtils.findMergedAnnotation(ClassUtils.getUserClass(type), Idempotent.class);
    }

    /** The annotation of a request handler: a class annotation applies to all its handlers. */
    public static @Nullable Idempotent ofHandler(Method method, Class<?> type) {
        Idempotent own = own(method);
        return own == null ? ofClass(type) : own;
    }

    /** The annotation of a method of any other bean: a class annotation applies to all its public methods. */
    public static @Nullable Idempotent ofBean(Method method, Class<?> type) {
        Idempotent own = own(method);
        return own == null && isMeant(method) ? ofClass(type) : own;
    }

    private static boolean isMeant(Method method) {
        return Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !method.isSynthetic()
                && !ReflectionUtils.isObjectMethod(method);
    }
}
