package dev.semel.client.spring;

import java.net.URI;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.support.HttpRequestWrapper;

/** The question what became of a request, from the same caller. */
final class StatusRequest extends HttpRequestWrapper {

    private final URI location;
    private final HttpHeaders headers = new HttpHeaders();

    StatusRequest(HttpRequest request, URI location) {
        super(request);
        this.location = location;
        headers.addAll(request.getHeaders());
        headers.remove("Idempotency-Key");
        headers.remove(HttpHeaders.CONTENT_TYPE);
        headers.remove(HttpHeaders.CONTENT_LENGTH);
        headers.remove(HttpHeaders.CONTENT_ENCODING);
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
