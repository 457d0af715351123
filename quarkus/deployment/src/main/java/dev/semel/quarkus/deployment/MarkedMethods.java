package dev.semel.quarkus.deployment;

import dev.semel.rest.Idempotent;
import java.util.function.Function;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.MethodInfo;
import org.jboss.jandex.Type;
import org.jspecify.annotations.Nullable;

/** Finds the mark of a resource method: its own, that of one which it overrides, or that of a class. */
record MarkedMethods(IndexView index) {

    static final DotName IDEMPOTENT = DotName.createSimple(Idempotent.class.getName());

    @Nullable
    AnnotationInstance markOf(MethodInfo method, ClassInfo resource) {
        AnnotationInstance mark = find(resource, type -> markIn(type, method));
        return mark == null ? find(resource, type -> type.declaredAnnotation(IDEMPOTENT)) : mark;
    }

    private @Nullable AnnotationInstance find(
            @Nullable ClassInfo type, Function<ClassInfo, @Nullable AnnotationInstance> mark) {
        if (type == null) {
            return null;
        }
        AnnotationInstance found = mark.apply(type);
        for (DotName implemented : type.interfaceNames()) {
            found = found == null ? find(index.getClassByName(implemented), mark) : found;
        }
        return found == null && type.superName() != null ? find(index.getClassByName(type.superName()), mark) : found;
    }

    private static @Nullable AnnotationInstance markIn(ClassInfo type, MethodInfo method) {
        MethodInfo same = type.method(method.name(), method.parameterTypes().toArray(Type[]::new));
        return same == null ? null : same.declaredAnnotation(IDEMPOTENT);
    }

    /** Whether the mark stands on a method, and so on purpose. */
    static boolean isOnMethod(AnnotationInstance mark) {
        return mark.target().kind() == AnnotationTarget.Kind.METHOD;
    }

    /** The operation's name; by default the simple names of class and method. */
    static String operation(AnnotationInstance mark, MethodInfo method, ClassInfo resource) {
        AnnotationValue name = mark.value();
        return name == null || name.asString().isEmpty()
                ? resource.simpleName() + "." + method.name()
                : name.asString();
    }
}
