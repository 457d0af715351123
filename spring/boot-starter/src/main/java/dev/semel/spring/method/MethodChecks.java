package dev.semel.spring.method;

import dev.semel.spring.Idempotent;
import dev.semel.spring.operation.SemelConfigurationException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;

/** Refuses to start an application with a method whose annotation cannot work. */
public final class MethodChecks {

    private static final String TRANSACTIONAL_LISTENER =
            "org.springframework.transaction.event.TransactionalEventListener";

    private MethodChecks() {}

    /** Callbacks after a commit still see the transaction, and Spring only logs their exceptions. */
    static void requireNoTransactionAround(Method method, Class<?> type, String place) {
        if (AnnotatedElementUtils.isAnnotated(method, TRANSACTIONAL_LISTENER) && !isAsync(method, type)) {
            throw problem(
                    place + " is a @TransactionalEventListener, which runs before the transaction of the"
                            + " publisher has completely ended: mode EXTERNAL refuses every call there, and"
                            + " Spring only logs that.",
                    "Add @Transactional(propagation = Propagation.NOT_SUPPORTED), or REQUIRES_NEW if it also"
                            + " writes to the"
                            + " database.");
        }
    }

    private static boolean isAsync(Method method, Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(type, Async.class);
    }

    static void requireNothingReturned(Method method, Idempotent idempotent, String place) {
        if (idempotent.skipInFlight() && method.getReturnType() != void.class) {
            throw problem(
                    "@Idempotent on " + place + " says skipInFlight, but the method returns "
                            + method.getReturnType().getSimpleName()
                            + ": a call that is skipped has no value to return.",
                    "Return nothing, or remove skipInFlight and catch NoValueException.");
        }
    }

    public static void requireNoRequest(Idempotent idempotent, String place) {
        if (idempotent.accepted()
                || idempotent.respondAsync()
                || idempotent.keyFields().length > 0
                || idempotent.keyFrom().length > 0
                || idempotent.neverStore().length > 0
                || !idempotent.keyFormat().isEmpty()
                || !idempotent.keyMaxAge().isEmpty()
                || !idempotent.required()) {
            throw problem(
                    "@Idempotent on " + place
                            + " sets accepted, respondAsync, keyFields, keyFrom, keyFormat, keyMaxAge, neverStore"
                            + " or required, which only apply to requests.",
                    "Remove them, or move the annotation to a controller.");
        }
    }

    public static void requireInterceptable(Method method, String place) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            throw problem(
                    "@Idempotent is on " + place + ", which Spring cannot intercept: it is "
                            + Modifier.toString(modifiers) + ".",
                    "Make the method neither private nor static nor final.");
        }
    }

    static void requireDone(@Nullable String asynchronous, String place) {
        if (asynchronous != null) {
            throw problem(
                    place + " " + asynchronous + ", of which no outcome can be kept.",
                    "Return the value itself, a CompletionStage, a CompletableFuture or a Mono.");
        }
    }

    /** A thread that waits for another thread of its pool may block the pool. */
    static void requireOneThread(Method method, Class<?> type, MethodOperation.Returned returned, String place) {
        if (returned != MethodOperation.Returned.VALUE && isAsync(method, type)) {
            throw problem(
                    place + " is both @Async and @Idempotent, and returns "
                            + method.getReturnType().getSimpleName()
                            + ": a thread of the task executor would wait for another one.",
                    "Remove @Async: the method is started on the application's task executor without it.");
        }
    }

    static SemelConfigurationException problem(String problem, String remedy) {
        return new SemelConfigurationException(problem, remedy);
    }
}
