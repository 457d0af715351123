package dev.semel.client.spring;

import dev.semel.client.IdempotentRequests;
import dev.semel.client.KeyFormat;
import dev.semel.client.RetryLoop;
import dev.semel.client.RetryPolicy;
import dev.semel.client.ServerAnswer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * An interceptor for {@code RestClient} and {@code RestTemplate} that gives each {@code POST} and {@code PATCH} a key,
 * and retries it under that key if that is safe. A request that already has a key keeps it.
 *
 * <p>A response is read whole before the caller gets it, except for event streams, because a request is also retried
 * when the body breaks off.
 *
 * <p>Limit the time of one attempt in the request factory. Register it after other interceptors, so that
 * each of them sees a request once.
 */
public final class IdempotentRequestInterceptor implements ClientHttpRequestInterceptor {

    private final IdempotentRequests requests;

    public IdempotentRequestInterceptor(RetryPolicy retries, KeyFormat format) {
        this(IdempotentRequests.builder().retries(retries).format(format).build());
    }

    /** With a header of another name, with the key in the body, or for other methods. */
    public IdempotentRequestInterceptor(IdempotentRequests requests) {
        this.requests = requests;
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        String method = request.getMethod().name();
        if (!requests.guards(method)) {
            return execution.execute(request, body);
        }
        HttpHeaders headers = request.getHeaders();
        String key = requests.key(requests.header().map(headers::getFirst).orElse(null), body);
        requests.header().ifPresent(name -> headers.set(name, key));
        byte[] keyed = requests.body(key, body);
        if (keyed.length != body.length && headers.getContentLength() >= 0) {
            headers.setContentLength(keyed.length);
        }
        return requests.send(method, request.getURI(), key, new Sender(requests, request, keyed, execution));
    }

    private record Sender(
            IdempotentRequests requests, HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            implements RetryLoop.Sender<ClientHttpResponse> {

        @Override
        public CompletionStage<ServerAnswer<ClientHttpResponse>> send(Duration timeout) {
            return exchange(request, body);
        }

        @Override
        public CompletionStage<ServerAnswer<ClientHttpResponse>> ask(URI location, Duration timeout) {
            return exchange(new StatusRequest(requests, request, location), new byte[0]);
        }

        private CompletionStage<ServerAnswer<ClientHttpResponse>> exchange(HttpRequest sent, byte[] content) {
            try {
                ClientHttpResponse response = execution.execute(sent, content);
                int status = response.getStatusCode().value();
                HttpHeaders headers = response.getHeaders();
                if (BufferedResponse.isEventStream(headers)) {
                    return CompletableFuture.completedFuture(
                            new ServerAnswer<>(status, BufferedResponse.lookup(headers), new byte[0], response));
                }
                // Only an answer that has arrived whole is one: a body that breaks off is asked for again.
                BufferedResponse buffered = BufferedResponse.of(response);
                return CompletableFuture.completedFuture(
                        new ServerAnswer<>(status, BufferedResponse.lookup(headers), buffered.bytes(), buffered));
            } catch (IOException e) {
                return CompletableFuture.failedFuture(e);
            }
        }
    }
}
