package dev.semel.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.RequestMapping;

/** Knows handlers whose response is a stream of events, of which nobody knows whether it ends. */
final class EndlessStreams {

    private static final Set<String> TYPES = Set.of(
            "org.springframework.http.codec.ServerSentEvent",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter");

    private EndlessStreams() {}

    /** Keeps an application from starting whose guarded handler answers with a stream of events. */
    static void refuse(Method method, Class<?> type) {
        String stream = in(method, type);
        if (stream != null) {
            throw new SemelConfigurationException(
                    "@Idempotent on the handler method " + Policies.describe(method, type) + ", which " + stream
                            + ": a response is held back until it has ended and is stored, so that its client would get"
                            + " nothing, and perhaps for ever.",
                    "Let the guarded request start the work and return, and send the events from a handler of its own,"
                            + " with GET.");
        }
    }

    private static @Nullable String in(Method method, Class<?> type) {
        RequestMapping mapping = AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
        if (mapping != null
                && Arrays.stream(mapping.produces())
                        .anyMatch(media -> media.strip().startsWith(MediaType.TEXT_EVENT_STREAM_VALUE))) {
            return "produces " + MediaType.TEXT_EVENT_STREAM_VALUE;
        }
        return in(ResolvableType.forMethodReturnType(method, type), new HashSet<>());
    }

    private static @Nullable String in(ResolvableType type, Set<Type> seen) {
        for (Class<?> each = type.toClass(); each != null; each = each.getSuperclass()) {
            if (TYPES.contains(each.getName())) {
                return "returns " + type.toClass().getSimpleName();
            }
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
}
