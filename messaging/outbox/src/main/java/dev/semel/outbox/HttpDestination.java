package dev.semel.outbox;

import dev.semel.client.HttpOperation;
import dev.semel.client.IdempotentHttpClient;
import dev.semel.client.NoAnswerException;
import dev.semel.client.OperationResult;
import dev.semel.client.RetryPolicy;
import dev.semel.util.Failures;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Posts messages to a URL, with the key in the header {@code Idempotency-Key}.
 *
 * <p>A status of 2xx means delivered; if the receiver is still working on it (202 with a status resource), the status
 * resource is asked for the outcome. After 3xx, 401, 403, 408, 409, 425, 429 and 5xx the message is sent again later,
 * and not before {@code Retry-After}; redirects are not followed. After any other status, and after any error that the
 * receiver has stored and replays, it is given up.
 */
public final class HttpDestination implements Destination {

    private static final Set<Integer> PASSING = Set.of(401, 403, 408, 409, 425, 429);

    private final IdempotentHttpClient client;
    private final URI uri;

    private HttpDestination(IdempotentHttpClient client, URI uri) {
        this.client = client;
        this.uri = uri;
    }

    /** Sends with the given client, and waits up to {@code timeout} for an answer. */
    public static HttpDestination of(HttpClient client, URI uri, Duration timeout) {
        // One attempt for each delivery: the next one is the relay's, whose patience outlives this process.
        RetryPolicy once = RetryPolicy.builder()
                .maxAttempts(1)
                .attemptTimeout(timeout)
                .deadline(timeout)
                .build();
        return new HttpDestination(
                IdempotentHttpClient.builder().http(client).retries(once).build(), uri);
    }

    @Override
    public CompletionStage<?> deliver(Delivery delivery) {
        CompletableFuture<OperationResult> sent;
        try {
            sent = client.sendAsync(operation(delivery));
        } catch (IllegalArgumentException e) {
            throw new UndeliverableException("the message cannot be sent: " + e.getMessage(), e);
        }
        return sent.handle((result, failure) -> {
            if (failure != null) {
                throw later(failure);
            }
            check(result);
            return null;
        });
    }

    private HttpOperation operation(Delivery delivery) {
        OutboxMessage message = delivery.message();
        HttpOperation.Builder operation =
                HttpOperation.post(uri).key(delivery.key()).body(message.payload());
        message.headers().forEach((name, value) -> {
            if (message.contentType() == null || !name.equalsIgnoreCase("Content-Type")) {
                operation.header(name, value);
            }
        });
        if (message.contentType() != null) {
            operation.header("Content-Type", message.contentType());
        }
        return operation.build();
    }

    private static RuntimeException later(Throwable failure) {
        Throwable why = Failures.unwrap(failure);
        return why instanceof NoAnswerException unanswered
                        && unanswered.retryAfter().isPresent()
                ? new RetryLaterException(
                        String.valueOf(unanswered.getMessage()),
                        unanswered.retryAfter().get(),
                        unanswered)
                : new CompletionException(why);
    }

    private void check(OperationResult result) {
        int status = result.status();
        if (status >= 200 && status < 300) {
            return;
        }
        if (!result.replayed() && (status >= 500 || status < 400 || PASSING.contains(status))) {
            throw new IllegalStateException(uri + " answered " + status);
        }
        throw new UndeliverableException(
                uri + " answered " + status + (result.replayed() ? ", which it has stored" : ""), null);
    }
}
