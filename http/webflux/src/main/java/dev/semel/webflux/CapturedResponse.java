package dev.semel.webflux;

import dev.semel.Header;
import dev.semel.OutcomeUnknownException;
import dev.semel.http.HandlerEntry;
import dev.semel.http.HandlerResponse;
import dev.semel.http.problem.Answer;
import dev.semel.http.spool.Spool;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Holds back the application's response until its outcome is stored. A response that becomes too large to store goes
 * straight to the client. Status, headers and cookies are those of the real response, which is not committed meanwhile.
 */
final class CapturedResponse extends ServerHttpResponseDecorator {

    private static final int OK = 200;
    private static final byte[] NOTHING = {};

    private final int limit;
    private final Duration longest;
    private final Spool body;
    private final @Nullable HttpStatusCode statusBefore;
    private final Map<String, List<String>> headersBefore;
    private final Map<String, List<ResponseCookie>> cookiesBefore = new LinkedHashMap<>();
    private volatile boolean complete;
    private volatile @Nullable CompletableFuture<Void> passing;
    private volatile @Nullable Throwable failure;
    private volatile @Nullable OutcomeUnknownException endless;

    /** A response of which at most this many bytes are kept, and which streams for at most this long. */
    CapturedResponse(ServerHttpResponse response, int limit, Duration longest) {
        super(response);
        this.limit = limit;
        this.longest = longest;
        this.body = Spool.of(limit);
        statusBefore = response.getStatusCode();
        headersBefore = copy(response.getHeaders());
        response.getCookies().forEach((name, cookies) -> cookiesBefore.put(name, List.copyOf(cookies)));
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> data) {
        if (isCommitted()) {
            return Mono.empty();
        }
        AtomicLong size = new AtomicLong();
        AtomicBoolean fits = new AtomicBoolean(true);
        return Flux.from(data)
                .map(Bodies::take)
                .doOnDiscard(DataBuffer.class, DataBufferUtils::release)
                // So that there is a first window, however large the first piece is.
                .startWith(NOTHING)
                .windowUntil(piece -> size.addAndGet(piece.length) > limit && fits.getAndSet(false), true, 1)
                .index()
                .concatMap(part -> part.getT1() == 0 ? keep(part.getT2()) : pass(part.getT2()), 1)
                .then()
                .doOnSuccess(all -> complete = true)
                .doOnError(error -> {
                    if (passing == null) {
                        // Nothing has gone out yet, so the application's error handling may still answer.
                        body.reset();
                    }
                });
    }

    private Mono<Void> keep(Flux<byte[]> pieces) {
        return pieces.concatMap(piece -> Bodies.onFittingThread(body.blocks(piece.length), () -> body.offer(piece)), 1)
                .then();
    }

    /** Sends the captured part and the rest. A client that goes away does not stop it: the rest then goes nowhere. */
    private Mono<Void> pass(Flux<byte[]> pieces) {
        return Mono.deferContextual(context -> {
            // Hidden, because a window that is fused with a publication stalls.
            ConnectableFlux<byte[]> shared = pieces.hide().publish(1);
            CompletableFuture<Void> passed = shared.then().contextWrite(context).toFuture();
            AtomicBoolean started = new AtomicBoolean();
            Runnable start = () -> {
                if (started.compareAndSet(false, true)) {
                    shared.connect();
                }
            };
            // Not before the client's side is there, which has what was kept to write first, or is gone for good.
            Publisher<byte[]> rest = client -> {
                shared.subscribe(client);
                start.run();
            };
            passing = getDelegate()
                    .writeWith(Bodies.read(body, bufferFactory())
                            .concatWith(
                                    Flux.from(rest).map(piece -> bufferFactory().wrap(piece))))
                    .doFinally(signal -> start.run())
                    .contextWrite(context)
                    .toFuture();
            return Mono.fromFuture(passed, true);
        });
    }

    /** Only streams are written in this way by Spring, and they may never end. */
    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> data) {
        return writeWith(Flux.<DataBuffer>from(Flux.from(data).concatMap(inner -> inner))
                // Ended and followed by an error, because an error in its place would not cancel the stream.
                .takeUntilOther(Mono.delay(longest).doOnNext(over -> endless = tooLong()))
                .concatWith(Mono.defer(() -> endless == null ? Mono.empty() : Mono.error(endless))));
    }

    private OutcomeUnknownException tooLong() {
        return new OutcomeUnknownException("the response is a stream that did not end within " + longest, null);
    }

    @Override
    public Mono<Void> setComplete() {
        complete = true;
        return Mono.empty();
    }

    @Override
    public boolean isCommitted() {
        return complete || passing != null;
    }

    @Override
    public boolean setStatusCode(@Nullable HttpStatusCode status) {
        return !complete && super.setStatusCode(status);
    }

    @Override
    public boolean setRawStatusCode(@Nullable Integer value) {
        return !complete && super.setRawStatusCode(value);
    }

    /** Notes the exception that error handling is about to turn into a response. */
    void failed(Throwable cause) {
        failure = cause;
    }

    /** The captured response, with its body unless that is too large to keep. */
    @SuppressWarnings("NullAway") // which does not see in a class file that the body may be null
    Mono<HandlerResponse> response(HandlerEntry entry) {
        OutcomeUnknownException over = endless;
        if (over != null) {
            // Whatever it was turned into: the client gets the same answer as everywhere.
            return Mono.error(over);
        }
        List<Header> headers = new ArrayList<>();
        getHeaders().forEach((name, values) -> values.forEach(value -> headers.add(new Header(name, value))));
        HttpStatusCode status = getStatusCode();
        boolean kept = passing == null;
        return Bodies.onFittingThread(
                kept && body.blocks(0),
                () -> entry.seen(
                        HandlerResponse.of(status == null ? OK : status.value(), headers, kept ? body.bytes() : null)
                                .withFailure(entry.failureOr(failure))));
    }

    /** Sends the captured response, with these headers added. */
    Mono<Void> send(List<Header> extra) {
        CompletableFuture<Void> sent = passing;
        if (sent != null) {
            return Mono.fromFuture(sent, true);
        }
        extra.forEach(header -> getHeaders().add(header.name(), header.value()));
        return body.size() == 0
                ? getDelegate().setComplete()
                : getDelegate().writeWith(Bodies.read(body, bufferFactory()));
    }

    /** Discards the application's response, and sends this one. */
    Mono<Void> sendInstead(Answer answer) {
        CompletableFuture<Void> sent = passing;
        if (sent != null) {
            return Mono.fromFuture(sent, true)
                    .then(Mono.error(new IOException("the handler failed after a part of its response was sent")));
        }
        getHeaders().clear();
        headersBefore.forEach(
                (name, values) -> values.forEach(value -> getHeaders().add(name, value)));
        getCookies().clear();
        cookiesBefore.forEach((name, cookies) -> cookies.forEach(this::addCookie));
        getDelegate().setStatusCode(statusBefore);
        return Answers.write(getDelegate(), answer);
    }

    void close() {
        Bodies.close(body);
    }

    private static Map<String, List<String>> copy(HttpHeaders headers) {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        headers.forEach((name, values) -> copy.put(name, List.copyOf(values)));
        return copy;
    }
}
