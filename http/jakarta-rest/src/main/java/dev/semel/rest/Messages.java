package dev.semel.rest;

import dev.semel.Header;
import dev.semel.http.RequestHead;
import dev.semel.http.problem.Answer;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.InterceptorContext;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Requests and responses of Jakarta REST, as the protocol sees them. */
final class Messages {

    /** Marks a response whose entity is the bytes that go out, which no interceptor may change. */
    private static final String READY = "dev.semel.rest.ready";

    private Messages() {}

    static RequestHead head(ContainerRequestContext request) {
        URI uri = request.getUriInfo().getRequestUri();
        MultivaluedMap<String, String> headers = request.getHeaders();
        return new RequestHead(
                request.getMethod(),
                uri.getRawPath(),
                uri.getRawQuery(),
                name -> headers.getOrDefault(name, List.of()));
    }

    /** Ends a request in a filter. */
    static void abort(ContainerRequestContext request, Answer answer) {
        markReady(request);
        request.abortWith(response(answer));
    }

    static void markReady(ContainerRequestContext request) {
        request.setProperty(READY, true);
    }

    static boolean isReady(InterceptorContext context) {
        return context.getProperty(READY) != null;
    }

    static Response response(Answer answer) {
        Response.ResponseBuilder response = Response.status(answer.status());
        answer.headers().forEach(header -> response.header(header.name(), header.value()));
        return answer.body().length == 0
                ? response.build()
                : response.entity(answer.body()).build();
    }

    static List<Header> headers(ContainerResponseContext response) {
        List<Header> headers = new ArrayList<>();
        response.getStringHeaders()
                .forEach((name, values) -> values.forEach(value -> headers.add(new Header(name, value))));
        return headers;
    }

    static void add(List<Header> headers, ContainerResponseContext response) {
        headers.forEach(header -> response.getHeaders().add(header.name(), header.value()));
    }

    /** Makes the head of a response that of another answer, and leaves what concerns browsers. */
    static void replace(ContainerResponseContext response, Answer answer) {
        response.setStatus(answer.status());
        response.getHeaders().keySet().removeIf(name -> {
            String lower = name.toLowerCase(Locale.ROOT);
            return !lower.startsWith("access-control-") && !lower.equals("vary");
        });
        add(answer.headers(), response);
    }
}
