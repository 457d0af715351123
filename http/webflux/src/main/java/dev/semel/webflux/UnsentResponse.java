package dev.semel.webflux;

import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A response that is not sent, for a handler whose client was answered before it ran. */
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
        // Nothing to notify.
    }

    @Override
    protected void applyHeaders() {
        // Nothing to notify.
    }

    @Override
    protected void applyCookies() {
        // Nothing to notify.
    }
}
