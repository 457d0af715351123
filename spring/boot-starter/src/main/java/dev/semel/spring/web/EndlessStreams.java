package dev.semel.spring.web;

import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import dev.semel.spring.operation.Policies;
import dev.semel.spring.operation.SemelConfigurationException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.method.HandlerMethod;

/** Knows handlers whose response is a stream that may never end. */
final class EndlessStreams {

    private static final Set<String> TYPES = Set.of(
            "org.springframework.http.codec.ServerSentEvent",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter");

    private static final Set<String> STREAMED =
            Set.of(MediaType.TEXT_EVENT_STREAM_VALUE, MediaType.APPLICATION_NDJSON_VALUE, "application/stream+json");

    private EndlessStreams() {}

    /** Refuses to start an application whose guarded handler answers with an event stream. */
    static void refuse(Method method, Class<?> type) {
        String stream = in(method, type);
        if (stream != null) {
            throw new SemelConfigurationException(
                    "@Idempotent on the handler method " + Policies.describe(method, type) + ", which " + stream
                            + ": a response is held back until it has ended and is stored, so its client would"
                            + " get nothing, perhaps forever.",
                    "Let the guarded request start the work and return, and send the events from another handler,"
                            + " with GET.");
        }
    }

    private static @Nullable String in(Method method, Class<?> type) {
        if (produces(method, type).anyMatch(media -> media.strip().startsWith(MediaType.TEXT_EVENT_STREAM_VALUE))) {
            return "produces " + MediaType.TEXT_EVENT_STREAM_VALUE;
        }
        ResolvableType stream = find(
                ResolvableType.forMethodReturnType(method, type), EndlessStreams::isStreamOfEvents, new HashSet<>());
        return stream == null ? null : "returns " + stream.toClass().getSimpleName();
    }

    /** An annotation on the method takes precedence over that of its class. */
    private static Stream<String> produces(Method method, Class<?> type) {
        return Stream.of(method, type)
                .map(element -> AnnotatedElementUtils.findMergedAnnotation(element, RequestMapping.class))
                .filter(mapping -> mapping != null && mapping.produces().length > 0)
                .findFirst()
                .stream()
                .flatMap(mapping -> Stream.of(mapping.produces()));
    }

    private static boolean isStreamOfEvents(ResolvableType type) {
        for (Class<?> each = type.toClass(); each != null; each = each.getSuperclass()) {
            if (TYPES.contains(each.getName())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the handler would answer with a stream that it has not declared.
     *
     * @param produced the media types that the handler declares, if any
     * @param accepted the media types that the client accepts
     */
    static boolean onlyAsked(HandlerMethod handler, @Nullable Object produced, List<MediaType> accepted) {
        return produced == null
                && !accepted.isEmpty()
                && accepted.stream().allMatch(EndlessStreams::isStreamed)
                && many(handler) != null;
    }

    /** Whether Spring MVC may write the handler's result piece by piece. */
    static boolean mayBe(HandlerMethod handler, @Nullable Object produced, List<MediaType> accepted) {
        ResolvableType many = many(handler);
        return many != null
                && (CharSequence.class.isAssignableFrom(many.getGeneric().toClass())
                        || (produced instanceof Collection<?> types ? types : accepted)
                                .stream().anyMatch(type -> type instanceof MediaType media && isStreamed(media)));
    }

    static Answer refusal() {
        return Problem.ofStatus(
                406,
                "a response to a request with an idempotency key is held back until it has ended, so that it cannot be a"
                        + " stream; accept application/json");
    }

    private static boolean isStreamed(MediaType type) {
        return STREAMED.contains(type.getType() + '/' + type.getSubtype());
    }

    /** The part of the handler's return type that stands for any number of values. */
    private static @Nullable ResolvableType many(HandlerMethod handler) {
        return find(
                ResolvableType.forMethodReturnType(handler.getMethod(), handler.getBeanType()),
                type -> {
                    ReactiveAdapter adapter =
                            ReactiveAdapterRegistry.getSharedInstance().getAdapter(type.toClass());
                    return adapter != null && adapter.isMultiValue();
                },
                new HashSet<>());
    }

    private static @Nullable ResolvableType find(
            ResolvableType type, Predicate<ResolvableType> wanted, Set<Type> seen) {
        if (wanted.test(type)) {
            return type;
        }
        // The bound of a type variable may contain the variable.
        return seen.add(type.getType())
                ? Stream.of(type.getGenerics())
                        .map(generic -> find(generic, wanted, seen))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null)
                : null;
    }
}
