package dev.semel.outbox;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Posts messages to a URL, with the key in the header {@code Idempotency-Key}.
 *
 * <p>A status of 2xx means delivered. With 401, 403, 408, 409, 425, 429 and 5xx the message is sent again later; with any
 * other it is given up.
 */
public final class HttpDestination implements Destination {

    private static final Set<Integer> PASSING = Set.of(401, 403, 408, 409, 425, 429);

    private final HttpClient client;
    private final URI uri;
    private final Duration timeout;

    private HttpDestination(HttpClient client, URI uri, Duration timeout) {
        this.client = client;
        this.uri = uri;
        this.timeout = timeout;
    }

    /** Sends with the given client; an answer is waited for as long as {@code timeout}. */
    public static HttpDestination of(HttpClient client, URI uri, Duration timeout) {
        return new HttpDestination(client, uri, timeout);
    }

    @Override
    public CompletionStage<?> deliver(Delivery delivery) {
        return client.sendAsync(request(delivery), HttpResponse.BodyHandlers.discarding())
                .thenAccept(response -> check(response.statusCode()));
    }

    private HttpRequest request(Delivery delivery) {
        OutboxMessage message = delivery.message();
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(timeout)
                .POST(HttpRequest.BodyPublishers.ofByteArray(message.payload()));
        try {
            message.headers().forEach(request::setHeader);
        } catch (IllegalArgumentException e) {
            throw new UndeliverableException("the headers cannot be sent: " + e.getMessage(), e);
        }
        if (message.contentType() != null) {
            request.setHeader("Content-Type", message.contentType());
        }
        request.setHeader(Delivery.KEY_HEADER, quoted(delivery.key()));
        return request.build();
    }

    /** A string of RFC 9651. */
    private static String quoted(String key) {
        return '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private void check(int status) {
        if (status >= 200 && status < 300) {
            return;
        }
        if (status >= 500 || PASSING.contains(status)) {
            throw new IllegalStateException(uri + " answered " + status);
        }
        throw new UndeliverableException(uri + " answered " + status, null);
    }
}
