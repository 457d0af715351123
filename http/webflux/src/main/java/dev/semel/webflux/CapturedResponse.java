package dev.semel.webflux;

import dev.semel.Header;
import dev.semel.http.Answer;
import dev.semel.http.HandlerResponse;
import dev.semel.http.Spool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Holds back what the application answers until its outcome is stored. Status, headers and cookies are those of the real
 * response, which is not committed meanwhile.
 */
final class CapturedResponse extends ServerHttpResponseDecorator {

    private static final int OK = 200;

    private final Spool body = Spool.of(Long.MAX_VALUE);
    private final @Nullable HttpStatusCode statusBefore;
    private final Map<String, List<String>> headersBefore;
    private final Map<String, List<ResponseCookie>> cookiesBefore = new LinkedHashMap<>();
    private volatile boolean complete;
    private volatile @Nullable Throwable failure;

    CapturedResponse(ServerHttpResponse response) {
        super(response);
        statusBefore = response.getStatusCode();
        headersBefore = copy(response.getHeaders());
        response.getCookies().forEach((name, cookies) -> cookiesBefore.put(name, List.copyOf(cookies)));
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> data) {
        if (complete) {
            return Mono.empty();
        }
        return Bodies.fill(body, data)
                .doOnSuccess(all -> complete = true)
                // Nothing has gone out yet, so the application's error handling may still answer.
                .doOnError(error -> body.reset())
                .then();
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> data) {
        return writeWith(Flux.from(data).concatMap(inner -> inner));
    }

    @Override
    public Mono<Void> setComplete() {
        complete = true;
        return Mono.empty();
    }

    @Override
    public boolean isCommitted() {
        return complete;
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

    /** What was answered, with its body unless that is larger than what is kept. */
    @SuppressWarnings("NullAway") // which does not see in a class file that the body may be null
    Mono<HandlerResponse> response(int maxPayload) {
        List<Header> headers = new ArrayList<>();
        getHeaders().forEach((name, values) -> values.forEach(value -> headers.add(new Header(name, value))));
        HttpStatusCode status = getStatusCode();
        boolean kept = body.size() <= maxPayload;
        return Bodies.onFittingThread(
                kept && body.blocks(0),
                () -> new HandlerResponse(
                        status == null ? OK : status.value(), headers, kept ? body.bytes() : null, failure));
    }

    /** Lets go what was held back, and these headers with it. */
    Mono<Void> send(List<Header> extra) {
        extra.forEach(header -> getHeaders().add(header.name(), header.value()));
        return body.size() == 0
                ? getDelegate().setComplete()
                : getDelegate().writeWith(Bodies.read(body, bufferFactory()));
    }

    /** Takes back whatever the application said, and answers with this. */
    Mono<Void> sendInstead(Answer answer) {
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
