package dev.semel.webflux;

import dev.semel.http.spool.Spool;
import java.util.Map;
import org.springframework.core.ResolvableType;
import org.springframework.core.codec.Hints;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.http.codec.HttpMessageReader;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The exchange that the application sees: its request is read from the spooled body, as often as needed, and its
 * response is held back.
 */
final class GuardedExchange extends ServerWebExchangeDecorator {

    private static final ResolvableType FORM =
            ResolvableType.forClassWithGenerics(MultiValueMap.class, String.class, String.class);
    private static final ResolvableType MULTIPART =
            ResolvableType.forClassWithGenerics(MultiValueMap.class, String.class, Part.class);

    private final ServerHttpRequest request;
    private final ServerHttpResponse response;
    private final Mono<MultiValueMap<String, String>> form;
    private final Mono<MultiValueMap<String, Part>> multipart;
    private volatile boolean multipartRead;

    GuardedExchange(ServerWebExchange exchange, Spool body, ServerHttpResponse response, ServerCodecConfigurer codecs) {
        super(exchange);
        this.request = new ServerHttpRequestDecorator(exchange.getRequest()) {
            @Override
            public Flux<DataBuffer> getBody() {
                return Bodies.read(body, DefaultDataBufferFactory.sharedInstance);
            }
        };
        this.response = response;
        // The exchange of the server reads forms from the connection, where nothing is left to read.
        this.form = read(codecs, FORM, MediaType.APPLICATION_FORM_URLENCODED);
        this.multipart = read(codecs, MULTIPART, MediaType.MULTIPART_FORM_DATA);
    }

    private <T> Mono<MultiValueMap<String, T>> read(
            ServerCodecConfigurer codecs, ResolvableType type, MediaType media) {
        return Mono.<MultiValueMap<String, T>>defer(() -> {
                    MediaType sent = request.getHeaders().getContentType();
                    if (!media.isCompatibleWith(sent)) {
                        return Mono.just(new LinkedMultiValueMap<>());
                    }
                    return GuardedExchange.<T>reader(codecs, type, media)
                            .readMono(type, request, Hints.none())
                            .switchIfEmpty(Mono.fromSupplier(LinkedMultiValueMap::new));
                })
                .cache();
    }

    @SuppressWarnings("unchecked")
    private static <T> HttpMessageReader<MultiValueMap<String, T>> reader(
            ServerCodecConfigurer codecs, ResolvableType type, MediaType media) {
        return (HttpMessageReader<MultiValueMap<String, T>>) codecs.getReaders().stream()
                .filter(reader -> reader.canRead(type, media))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "no codec reads " + type + " from " + media + "; register one with the codecs of the filter"));
    }

    @Override
    public ServerHttpRequest getRequest() {
        return request;
    }

    @Override
    public ServerHttpResponse getResponse() {
        return response;
    }

    @Override
    public Mono<MultiValueMap<String, String>> getFormData() {
        return form;
    }

    @Override
    public Mono<MultiValueMap<String, Part>> getMultipartData() {
        multipartRead = true;
        return multipart;
    }

    /** Deletes the files of a multipart request that the application has read. */
    @Override
    public Mono<Void> cleanupMultipart() {
        return Mono.defer(() -> multipartRead
                ? multipart
                        .flatMapIterable(Map::values)
                        .flatMapIterable(parts -> parts)
                        .flatMap(Part::delete)
                        .then()
                : Mono.empty());
    }
}
