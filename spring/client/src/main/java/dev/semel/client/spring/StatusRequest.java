package dev.semel.client.spring;

import java.net.URI;
import java.util.Locale;
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
        copy(request.getHeaders(), headers);
    }

    /** Copies what says who is asking, and nothing that belongs to the operation. With what Spring 6 has too. */
    static void copy(HttpHeaders from, HttpHeaders to) {
        from.forEach((name, values) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!lower.equals("idempotency-key") && !lower.startsWith("content-")) {
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
