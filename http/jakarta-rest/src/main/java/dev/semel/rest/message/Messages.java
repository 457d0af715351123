package dev.semel.rest.message;

import dev.semel.Header;
import dev.semel.http.RequestHead;
import dev.semel.http.problem.Answer;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.InterceptorContext;
import java.net.URI;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Requests and responses of Jakarta REST, as the protocol sees them. */
public final class Messages {

    /** Marks a response whose entity is the bytes that go out, which no interceptor may change. */
    private static final String READY = "dev.semel.rest.ready";

    private Messages() {}

    public static RequestHead head(ContainerRequestContext request) {
        URI uri = request.getUriInfo().getRequestUri();
        MultivaluedMap<String, String> headers = request.getHeaders();
        return RequestHead.of(
                request.getMethod(),
                uri.getRawPath(),
                uri.getRawQuery(),
                name -> headers.getOrDefault(name, List.of()));
    }

    /** The name of the authenticated principal; {@code null} if there is none. */
    public static @Nullable String principal(ContainerRequestContext request) {
        Principal principal = request.getSecurityContext() == null
                ? null
                : request.getSecurityContext().getUserPrincipal();
        return principal == null ? null : principal.getName();
    }

    /** Ends a request in a filter. */
    public static void abort(ContainerRequestContext request, Answer answer) {
        markReady(request);
        request.abortWith(response(answer));
    }

    public static void markReady(ContainerRequestContext request) {
        request.setProperty(READY, true);
    }

    public static boolean isReady(InterceptorContext context) {
        return context.getProperty(READY) != null;
    }

    public static boolean isReady(ContainerRequestContext request) {
        return request.getProperty(READY) != null;
    }

    public static Response response(Answer answer) {
        Response.ResponseBuilder response = Response.status(answer.status());
        answer.headers().forEach(header -> response.header(header.name(), header.value()));
        return answer.body().length == 0
                ? response.build()
                : response.entity(answer.body()).build();
    }

    public static List<Header> headers(ContainerResponseContext response) {
        List<Header> headers = new ArrayList<>();
        response.getStringHeaders()
                .forEach((name, values) -> values.forEach(value -> headers.add(new Header(name, value))));
        return headers;
    }

    public static void add(List<Header> headers, ContainerResponseContext response) {
        headers.forEach(header -> response.getHeaders().add(header.name(), header.value()));
    }

    /** Makes the head of a response that of another answer, and leaves what concerns browsers. */
    public static void replace(ContainerResponseContext response, Answer answer) {
        response.setStatus(answer.status());
        response.getHeaders().keySet().removeIf(name -> !concernsBrowsers(name));
        add(answer.headers(), response);
    }

    /** Whether a header stays when another answer takes the place of a response. */
    public static boolean concernsBrowsers(String header) {
        String lower = header.toLowerCase(Locale.ROOT);
        return lower.startsWith("access-control-") || lower.equals("vary");
    }
}
