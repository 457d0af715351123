package dev.semel.client.apache;

import dev.semel.client.IdempotentRequests;
import dev.semel.client.RetryLoop;
import dev.semel.client.ServerAnswer;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.Method;

/**
 * Sends requests with an asynchronous Apache HttpClient, gives them a key, and retries them under it if that is safe.
 * The caller starts and closes the client.
 */
public final class IdempotentAsyncHttpClient {

    private final CloseableHttpAsyncClient client;
    private final IdempotentRequests requests;

    public IdempotentAsyncHttpClient(CloseableHttpAsyncClient client, IdempotentRequests requests) {
        this.client = client;
        this.requests = requests;
    }

    /** Completes with the response, or fails as {@link dev.semel.client.IdempotentHttpClient} does. */
    public CompletableFuture<SimpleHttpResponse> execute(SimpleHttpRequest request) {
        if (!requests.guards(request.getMethod())) {
            return exchange(request);
        }
        byte[] body = request.getBodyBytes() == null ? new byte[0] : request.getBodyBytes();
        String header = requests.header().orElse("");
        Header given = header.isEmpty() ? null : request.getFirstHeader(header);
        String key = requests.key(given == null ? null : given.getValue(), body);
        SimpleHttpRequest keyed = SimpleRequestBuilder.copy(request).build();
        if (request.getBodyBytes() != null) {
            keyed.setBody(requests.body(key, body), request.getContentType());
        }
        if (!header.isEmpty()) {
            keyed.setHeader(header, key);
        }
        try {
            return map(
                    requests.sendAsync(request.getMethod(), request.getUri(), key, new Sender(keyed)),
                    result -> result.answer().response());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("cannot tell where " + request + " goes", e);
        }
    }

    private CompletableFuture<SimpleHttpResponse> exchange(SimpleHttpRequest request) {
        CompletableFuture<SimpleHttpResponse> result = new CompletableFuture<>();
        Future<SimpleHttpResponse> sending = client.execute(request, new FutureCallback<>() {
            @Override
            public void completed(SimpleHttpResponse response) {
                result.complete(response);
            }

            @Override
            public void failed(Exception failure) {
                result.completeExceptionally(failure);
            }

            @Override
            public void cancelled() {
                result.cancel(false);
            }
        });
        result.whenComplete((response, failure) -> {
            if (result.isCancelled()) {
                sending.cancel(true);
            }
        });
        return result;
    }

    private final class Sender implements RetryLoop.Sender<SimpleHttpResponse> {

        private final SimpleHttpRequest request;

        private Sender(SimpleHttpRequest request) {
            this.request = request;
        }

        @Override
        public CompletionStage<ServerAnswer<SimpleHttpResponse>> send(Duration timeout) {
            return answer(exchange(SimpleRequestBuilder.copy(request).build()));
        }

        @Override
        public CompletionStage<ServerAnswer<SimpleHttpResponse>> ask(URI location, Duration timeout) {
            SimpleHttpRequest question = SimpleHttpRequest.create(Method.GET, location);
            for (Header header : request.getHeaders()) {
                if (requests.identifiesCaller(header.getName())) {
                    question.addHeader(header);
                }
            }
            return answer(exchange(question));
        }

        private CompletableFuture<ServerAnswer<SimpleHttpResponse>> answer(
                CompletableFuture<SimpleHttpResponse> sending) {
            return map(
                    sending,
                    response -> new ServerAnswer<>(
                            response.getCode(),
                            name -> Optional.ofNullable(response.getFirstHeader(name))
                                    .map(Header::getValue),
                            response.getBodyBytes() == null ? new byte[0] : response.getBodyBytes(),
                            response));
        }
    }

    /** A derived future. Cancelling it cancels the original one. */
    private static <T, U> CompletableFuture<U> map(CompletableFuture<T> source, Function<T, U> mapping) {
        CompletableFuture<U> mapped = source.thenApply(mapping);
        mapped.whenComplete((done, failure) -> {
            if (mapped.isCancelled()) {
                source.cancel(true);
            }
        });
        return mapped;
    }
}
