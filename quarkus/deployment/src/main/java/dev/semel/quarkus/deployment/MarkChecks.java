package dev.semel.quarkus.deployment;

import dev.semel.http.dialect.Dialect;
import dev.semel.policy.Policy;
import io.quarkus.resteasy.reactive.server.deployment.ResteasyReactiveResourceMethodEntriesBuildItem.Entry;
import jakarta.enterprise.inject.spi.DeploymentException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.MethodInfo;
import org.jboss.jandex.Type;
import org.jspecify.annotations.Nullable;

/** Fails the build if an annotation could not work at run time. */
final class MarkChecks {

    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    /** The return types without an end that could be stored, and those that bypass the filters. */
    private static final Set<String> STREAMS = Set.of(
            "io.smallrye.mutiny.Multi",
            "io.vertx.core.file.AsyncFile",
            "io.vertx.mutiny.core.file.AsyncFile",
            "java.util.concurrent.Flow$Publisher",
            "org.jboss.resteasy.reactive.RestMulti",
            "org.reactivestreams.Publisher");

    private static final Set<String> STREAMED_TO = Set.of("jakarta.ws.rs.sse.SseEventSink");

    private final MarkedMethods marks;

    MarkChecks(MarkedMethods marks) {
        this.marks = marks;
    }

    static void dialect(String name) {
        try {
            Dialect.named(name);
        } catch (IllegalArgumentException e) {
            throw new DeploymentException(
                    "semel.dialect names an unknown dialect: " + e.getMessage() + ". Name one of " + Dialect.names()
                            + ".",
                    e);
        }
    }

    /** The guarded resource methods by the names of their operations. */
    Map<String, String> check(List<Entry> resources) {
        Map<String, String> places = new TreeMap<>();
        Set<AnnotationInstance> used = new HashSet<>();
        for (Entry resource : resources) {
            MethodInfo method = resource.getMethodInfo();
            AnnotationInstance mark = marks.markOf(method, resource.getActualClassInfo());
            if (mark != null) {
                used.add(mark);
                check(resource, mark, places);
            }
        }
        for (AnnotationInstance mark : marks.index().getAnnotations(MarkedMethods.IDEMPOTENT)) {
            if (mark.target().kind() == AnnotationTarget.Kind.METHOD && !used.contains(mark)) {
                throw new DeploymentException(
                        "@Idempotent on " + place(mark.target().asMethod())
                                + " has no effect, because the method is never called by a request. Put it on a resource method.");
            }
        }
        return places;
    }

    private static void check(Entry resource, AnnotationInstance mark, Map<String, String> places) {
        MethodInfo method = resource.getMethodInfo();
        String place = place(method);
        String httpMethod = resource.getResourceMethod().getHttpMethod();
        if (httpMethod == null || SAFE.contains(httpMethod)) {
            if (MarkedMethods.isOnMethod(mark)) {
                throw new DeploymentException("@Idempotent on " + place + " has no effect, because it answers "
                        + (httpMethod == null ? "no requests itself" : httpMethod + " only")
                        + ". Remove the annotation.");
            }
            return;
        }
        String stream = stream(method);
        if (stream != null) {
            throw new DeploymentException("@Idempotent on " + place + " streams its response as " + stream
                    + ", and a stream cannot be stored and replayed. Return a value or a Uni.");
        }
        String operation = MarkedMethods.operation(mark, method, resource.getActualClassInfo());
        try {
            Policy.external(operation).build();
        } catch (IllegalArgumentException e) {
            throw new DeploymentException("@Idempotent on " + place + " is not valid: " + e.getMessage(), e);
        }
        String other = places.putIfAbsent(operation, place);
        if (other != null) {
            throw new DeploymentException(
                    "The operation '" + operation + "' is the name of two methods, " + other + " and " + place
                            + ": a key of one would replay the response of the other. Give each its own name.");
        }
    }

    private static @Nullable String stream(MethodInfo method) {
        for (Type parameter : method.parameterTypes()) {
            String name = parameter.name().toString();
            if (STREAMED_TO.contains(name) || name.equals("kotlin.coroutines.Continuation")) {
                return name;
            }
        }
        Type result = method.returnType();
        return STREAMS.contains(result.name().toString()) ? result.name().toString() : null;
    }

    private static String place(MethodInfo method) {
        return method.declaringClass().name() + "." + method.name() + "()";
    }
}
