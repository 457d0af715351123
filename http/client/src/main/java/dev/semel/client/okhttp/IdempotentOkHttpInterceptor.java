package dev.semel.client.okhttp;

import dev.semel.client.IdempotentCallException;
import dev.semel.client.IdempotentRequests;
import dev.semel.client.RetryLoop;
import dev.semel.client.ServerAnswer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;

/**
 * Gives OkHttp requests a key, and retries them under it if that is safe. Add it with {@code addInterceptor}, after
 * interceptors that must see a request once. Requests and responses are read whole. If the retries end without a
 * response, an {@link IOException} is thrown; its cause says why.
 */
public final class IdempotentOkHttpInterceptor implements Interceptor {

    private final IdempotentRequests requests;

    public IdempotentOkHttpInterceptor(IdempotentRequests requests) {
        this.requests = requests;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        if (!requests.guards(request.method())) {
            return chain.proceed(request);
        }
        RequestBody given = request.body();
        Buffer content = new Buffer();
        if (given != null) {
            given.writeTo(content);
        }
        byte[] body = content.readByteArray();
        String header = requests.header().orElse("");
        String key = requests.key(header.isEmpty() ? null : request.header(header), body);
        Request.Builder keyed = request.newBuilder()
                .method(
                        request.method(),
                        RequestBody.create(requests.body(key, body), given == null ? null : given.contentType()));
        if (!header.isEmpty()) {
            keyed.header(header, key);
        }
        try {
            return requests.send(
                    request.method(), request.url().uri(), key, new Sender(chain, keyed.build(), requests));
        } catch (IdempotentCallException | CancellationException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private record Sender(Chain chain, Request request, IdempotentRequests requests)
            implements RetryLoop.Sender<Response> {

        @Override
        public CompletionStage<ServerAnswer<Response>> send(Duration timeout) {
            return exchange(request);
        }

        @Override
        public CompletionStage<ServerAnswer<Response>> ask(URI location, Duration timeout) {
            Headers.Builder headers = new Headers.Builder();
            request.headers().forEach(header -> {
                if (requests.identifiesCaller(header.getFirst())) {
                    headers.add(header.getFirst(), header.getSecond());
                }
            });
            return exchange(new Request.Builder()
                    .url(HttpUrl.get(location.toString()))
                    .headers(headers.build())
                    .get()
                    .build());
        }

        private CompletionStage<ServerAnswer<Response>> exchange(Request sent) {
            try (Response response = chain.proceed(sent)) {
                byte[] bytes = response.body().bytes();
                Response whole = response.newBuilder()
                        .body(ResponseBody.create(bytes, response.body().contentType()))
                        .build();
                return CompletableFuture.completedFuture(new ServerAnswer<>(
                        whole.code(), name -> Optional.ofNullable(whole.header(name)), bytes, whole));
            } catch (IOException e) {
                return CompletableFuture.failedFuture(
                        chain.call().isCanceled() ? new CancellationException("the call was cancelled") : e);
            }
        }
    }
}
