package dev.semel.client.spring;

import dev.semel.client.KeyFormat;
import dev.semel.client.OperationKeys;
import dev.semel.client.RetryLoop;
import dev.semel.client.RetryPolicy;
import dev.semel.client.ServerAnswer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * An interceptor for {@code RestClient} and {@code RestTemplate} that gives each {@code POST} and {@code PATCH} a key, and
 * retries it under that key where that is right. A request that has an {@code Idempotency-Key} already keeps it.
 *
 * <p>A response is read whole before it is given out, event streams excepted, because a body that breaks off is retried too.
 *
 * <p>The time that one attempt may take is for the request factory to limit. Register it after other interceptors, so that
 * each of them sees a request once.
 */
public final class IdempotentRequestInterceptor implements ClientHttpRequestInterceptor {

    private static final String KEY = "Idempotency-Key";
    private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.POST, HttpMethod.PATCH);

    private final RetryPolicy retries;
    private final KeyFormat format;

    public IdempotentRequestInterceptor(RetryPolicy retries, KeyFormat format) {
        this.retries = retries;
        this.format = format;
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        if (!METHODS.contains(request.getMethod())) {
            return execution.execute(request, body);
        }
        String key = request.getHeaders().getFirst(KEY);
        if (key == null) {
            key = format.write(OperationKeys.random());
            request.getHeaders().set(KEY, key);
        }
        try {
            return RetryLoop.runHere(
                            request.getMethod().name(),
                            request.getURI(),
                            key,
                            retries,
                            new Sender(request, body, execution))
                    .answer()
                    .response();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted between two attempts");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    private record Sender(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            implements RetryLoop.Sender<ClientHttpResponse> {

        @Override
        public CompletionStage<ServerAnswer<ClientHttpResponse>> send(Duration timeout) {
            return exchange(request, body);
        }

        @Override
        public CompletionStage<ServerAnswer<ClientHttpResponse>> ask(URI location, Duration timeout) {
            return exchange(new StatusRequest(request, location), new byte[0]);
        }

        private CompletionStage<ServerAnswer<ClientHttpResponse>> exchange(HttpRequest sent, byte[] content) {
            try {
                ClientHttpResponse response = execution.execute(sent, content);
                int status = response.getStatusCode().value();
                HttpHeaders headers = response.getHeaders();
                if (BufferedResponse.isEventStream(headers)) {
                    return CompletableFuture.completedFuture(
                            new ServerAnswer<>(status, name -> first(headers, name), new byte[0], response));
                }
                // Only an answer that has arrived whole is one: a body that breaks off is asked for again.
                BufferedResponse buffered = BufferedResponse.of(response);
                return CompletableFuture.completedFuture(
                        new ServerAnswer<>(status, name -> first(headers, name), buffered.bytes(), buffered));
            } catch (IOException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private static Optional<String> first(HttpHeaders headers, String name) {
            return Optional.ofNullable(headers.getFirst(name));
        }
    }
}
