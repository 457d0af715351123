package dev.semel.client.spring;

import dev.semel.client.IdempotentRequests;
import dev.semel.client.KeyFormat;
import dev.semel.client.RetryLoop;
import dev.semel.client.RetryPolicy;
import dev.semel.client.ServerAnswer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * A filter for {@code WebClient} that gives each {@code POST} and {@code PATCH} a key, and retries it under that key if
 * that is safe. A request that already has a key keeps it.
 *
 * <p>The body is written again for each attempt: pass a value, or a publisher that can be subscribed to more than once
 * and emits the same each time. Except for event streams, a response is read to its end before the caller gets it,
 * because a request is also retried when the body breaks off.
 */
public final class IdempotentExchangeFilter implements ExchangeFilterFunction {

    private final IdempotentRequests requests;
    private final String header;

    public IdempotentExchangeFilter(RetryPolicy retries, KeyFormat format) {
        this(IdempotentRequests.builder().retries(retries).format(format).build());
    }

    /** With a header of another name, or for other methods. */
    public IdempotentExchangeFilter(IdempotentRequests requests) {
        this.requests = requests;
        this.header = requests.header()
                .orElseThrow(() ->
                        new IllegalArgumentException("a filter of WebClient does not see the body, so it cannot put"
                                + " the key there: set it in the object that is sent, or use RestClient"));
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        if (!requests.guards(request.method().name())) {
            return next.exchange(request);
        }
        String key = requests.key(request.headers().getFirst(header), new byte[0]);
        ClientRequest keyed = ClientRequest.from(request)
                .headers(headers -> headers.set(header, key))
                .build();
        return Mono.deferContextual(context -> Mono.fromFuture(() -> requests.sendAsync(
                        keyed.method().name(), keyed.url(), key, new Sender(requests, keyed, next, context))))
                .map(result -> result.answer().response());
    }

    private record Sender(
            IdempotentRequests requests, ClientRequest request, ExchangeFunction next, ContextView context)
            implements RetryLoop.Sender<ClientResponse> {

        @Override
        public CompletionStage<ServerAnswer<ClientResponse>> send(Duration timeout) {
            return exchange(request);
        }

        @Override
        public CompletionStage<ServerAnswer<ClientResponse>> ask(URI location, Duration timeout) {
            return exchange(ClientRequest.create(HttpMethod.GET, location)
                    .headers(headers -> StatusRequest.copy(requests, request.headers(), headers))
                    .cookies(cookies -> cookies.addAll(request.cookies()))
                    .attributes(attributes -> attributes.putAll(request.attributes()))
                    .build());
        }

        private CompletionStage<ServerAnswer<ClientResponse>> exchange(ClientRequest sent) {
            return next.exchange(sent)
                    .flatMap(Sender::answer)
                    .onErrorMap(WebClientRequestException.class, e -> new IOException(e.getMessage(), e.getCause()))
                    .contextWrite(context)
                    .toFuture();
        }

        private static Mono<ServerAnswer<ClientResponse>> answer(ClientResponse response) {
            int status = response.statusCode().value();
            HttpHeaders headers = response.headers().asHttpHeaders();
            if (BufferedResponse.isEventStream(headers)) {
                return Mono.just(new ServerAnswer<>(status, BufferedResponse.lookup(headers), new byte[0], response));
            }
            // Only an answer that has arrived whole is one: a body that breaks off is asked for again.
            return DataBufferUtils.join(response.body(BodyExtractors.toDataBuffers()))
                    .map(Sender::bytes)
                    .defaultIfEmpty(new byte[0])
                    .map(body -> new ServerAnswer<>(
                            status,
                            BufferedResponse.lookup(headers),
                            body,
                            response.mutate().body(content(body)).build()));
        }

        private static byte[] bytes(DataBuffer joined) {
            byte[] bytes = new byte[joined.readableByteCount()];
            joined.read(bytes);
            DataBufferUtils.release(joined);
            return bytes;
        }

        private static Flux<DataBuffer> content(byte[] body) {
            return body.length == 0
                    ? Flux.empty()
                    : Flux.defer(() -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body)));
        }
    }
}
