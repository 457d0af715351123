package dev.semel.client.spring;

import dev.semel.client.ServerAnswer.HeaderLookup;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/** A response whose body has been read, and can be read again. */
final class BufferedResponse implements ClientHttpResponse {

    private final ClientHttpResponse response;
    private final HttpStatusCode status;
    private final String text;
    private final byte[] body;

    private BufferedResponse(ClientHttpResponse response, byte[] body) throws IOException {
        this.response = response;
        this.status = response.getStatusCode();
        this.text = response.getStatusText();
        this.body = body;
    }

    /** Whether a response is a stream, which cannot be held back until it is complete. */
    static boolean isEventStream(HttpHeaders headers) {
        String type = headers.getFirst(HttpHeaders.CONTENT_TYPE);
        return type != null && type.strip().toLowerCase(Locale.ROOT).startsWith("text/event-stream");
    }

    static HeaderLookup lookup(HttpHeaders headers) {
        return name -> Optional.ofNullable(headers.getFirst(name));
    }

    /** Reads the response, and gives its connection back. */
    static BufferedResponse of(ClientHttpResponse response) throws IOException {
        try (response) {
            return new BufferedResponse(response, response.getBody().readAllBytes());
        }
    }

    byte[] bytes() {
        return body;
    }

    @Override
    public HttpStatusCode getStatusCode() {
        return status;
    }

    @Override
    public String getStatusText() {
        return text;
    }

    @Override
    public HttpHeaders getHeaders() {
        return response.getHeaders();
    }

    @Override
    public InputStream getBody() {
        return new ByteArrayInputStream(body);
    }

    @Override
    public void close() {
        response.close();
    }
}
