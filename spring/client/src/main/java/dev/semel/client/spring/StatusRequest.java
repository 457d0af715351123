package dev.semel.client.spring;

import dev.semel.client.IdempotentRequests;
import java.net.URI;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.support.HttpRequestWrapper;

/** A request for the outcome of an earlier one, from the same caller. */
final class StatusRequest extends HttpRequestWrapper {

    private final URI location;
    private final HttpHeaders headers = new HttpHeaders();

    StatusRequest(IdempotentRequests requests, HttpRequest request, URI location) {
        super(request);
        this.location = location;
        copy(requests, request.getHeaders(), headers);
    }

    /** Copies the headers that identify the caller, and no others. Only uses methods that exist in Spring 6 too. */
    static void copy(IdempotentRequests requests, HttpHeaders from, HttpHeaders to) {
        from.forEach((name, values) -> {
            if (requests.identifiesCaller(name)) {
                values.forEach(value -> to.add(name, value));
            }
        });
    }

    @Override
    public HttpMethod getMethod() {
        return HttpMethod.GET;
    }

    @Override
    public URI getURI() {
        return location;
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }
}
