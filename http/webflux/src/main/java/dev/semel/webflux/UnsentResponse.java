package dev.semel.webflux;

import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A response that reaches nobody, for a handler whose client has been answered before it ran. */
final class UnsentResponse extends AbstractServerHttpResponse {

    UnsentResponse() {
        super(DefaultDataBufferFactory.sharedInstance);
    }

    @Override
    public <T> T getNativeResponse() {
        throw new IllegalStateException("the client was answered before this handler ran: there is no native response");
    }

    @Override
    protected Mono<Void> writeWithInternal(Publisher<? extends DataBuffer> body) {
        return Flux.from(body).doOnNext(DataBufferUtils::release).then();
    }

    @Override
    protected Mono<Void> writeAndFlushWithInternal(Publisher<? extends Publisher<? extends DataBuffer>> body) {
        return Flux.from(body).concatMap(this::writeWithInternal).then();
    }

    @Override
    protected void applyStatusCode() {
        // Nobody is told.
    }

    @Override
    protected void applyHeaders() {
        // Nobody is told.
    }

    @Override
    protected void applyCookies() {
        // Nobody is told.
    }
}
