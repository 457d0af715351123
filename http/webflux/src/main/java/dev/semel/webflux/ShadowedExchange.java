package dev.semel.webflux;

import dev.semel.http.shadow.ShadowBody;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An exchange whose request is looked at while the application reads it, at the application's own pace. */
final class ShadowedExchange extends ServerWebExchangeDecorator {

    private final ServerHttpRequest request;
    private final ShadowBody seen;
    private final AtomicBoolean formRead = new AtomicBoolean();

    ShadowedExchange(ServerWebExchange exchange, ShadowBody seen) {
        super(exchange);
        this.seen = seen;
        this.request = new ServerHttpRequestDecorator(exchange.getRequest()) {
            @Override
            public Flux<DataBuffer> getBody() {
                return super.getBody().doOnNext(buffer -> look(buffer)).doOnComplete(seen::end);
            }
        };
    }

    private void look(DataBuffer buffer) {
        int position = buffer.readPosition();
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        buffer.readPosition(position);
        seen.add(bytes, 0, bytes.length);
    }

    @Override
    public ServerHttpRequest getRequest() {
        return request;
    }

    /** The exchange of the server reads it from the connection itself. */
    @Override
    public Mono<MultiValueMap<String, String>> getFormData() {
        return super.getFormData().doOnNext(form -> {
            if (!form.isEmpty() && formRead.compareAndSet(false, true)) {
                StringBuilder listing = new StringBuilder();
                form.forEach((name, values) -> {
                    listing.append(name.length()).append(':').append(name).append(values.size());
                    values.forEach(value -> {
                        String text = String.valueOf(value);
                        listing.append(',').append(text.length()).append(':').append(text);
                    });
                });
                seen.parsed(listing.toString());
            }
        });
    }
}
