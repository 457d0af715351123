package dev.semel.gateway.proxy;

import dev.semel.gateway.config.Route;
import dev.semel.gateway.framing.DeclaredLength;
import dev.semel.gateway.proxy.UpstreamClient.Lane;
import dev.semel.gateway.stats.Counters.Count;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.problem.Answer;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that is not protected: it streams through, in both directions, and nothing of it is kept. If it asks to leave
 * HTTP and the upstream consents, it becomes a tunnel.
 */
final class PassThrough {

    private static final int SERVICE_UNAVAILABLE = 503;
    private static final String EVENT_STREAM = "text/event-stream";
    private static final String TOO_MANY_STREAMS = "Too many event streams and tunnels are open.";

    private final LoopContext loop;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Dialect dialect;
    private final IdleWatch.Entry idle;
    private final IdleWatch.Entry deadline;
    private final @Nullable ShadowTap tap;
    private @Nullable HttpClientRequest sent;
    private IdleWatch.@Nullable Entry age;
    private boolean counted;
    private boolean tunnel;
    private boolean over;

    private PassThrough(LoopContext loop, HttpServerRequest request, Route route, @Nullable ShadowTap tap) {
        this.loop = loop;
        this.request = request;
        this.response = request.response();
        this.dialect = route.dialect();
        this.tap = tap;
        this.idle = loop.idle().start(() -> timedOut(route.timeout()));
        this.deadline = loop.idle().deadline(route.timeout(), () -> timedOut(route.timeout()));
    }

    /** @param tap the observer of the request; {@code null} if there is none */
    static void start(
            LoopContext loop, HttpServerRequest request, RequestTarget target, Route route, @Nullable ShadowTap tap) {
        PassThrough pass = new PassThrough(loop, request, route, tap);
        request.pause();
        pass.response.closeHandler(closed -> pass.clientGone());
        pass.response.exceptionHandler(broken -> pass.clientGone());
        Lane lane = asksForStream(request) ? Lane.STREAMED : Lane.PASSED;
        if (lane == Lane.STREAMED && !pass.count()) {
            loop.counters().add(Count.STREAMS_FULL);
            pass.refuse(UpstreamFailure.busy(Count.STREAMS_FULL, TOO_MANY_STREAMS, null)
                    .answer(pass.dialect));
            return;
        }
        loop.upstream()
                .open(lane, request, target, null)
                .onComplete(pass::opened, failure -> pass.fail(UpstreamFailure.unreachable(failure)));
    }

    private static boolean asksForStream(HttpServerRequest request) {
        return Headers.isUpgrade(request)
                || request.headers().getAll("Accept").stream()
                        .anyMatch(types -> types.toLowerCase(Locale.ROOT).contains(EVENT_STREAM));
    }

    /** Whether there is room for one more stream. */
    private boolean count() {
        counted = counted || loop.streams().tryOpen();
        return counted;
    }

    private void timedOut(Duration timeout) {
        fail(sent == null ? UpstreamFailure.noConnection() : UpstreamFailure.timedOut(timeout));
    }

    private void opened(HttpClientRequest upstream) {
        if (over) {
            UpstreamClient.abandon(upstream);
            return;
        }
        sent = upstream;
        upstream.response().onComplete(this::answered, this::broken);
        upstream.exceptionHandler(this::broken);
        if (!hasBody()) {
            if (tap != null) {
                tap.sent();
            }
            request.resume();
            if (Headers.isUpgrade(request) && upstream.version() == HttpVersion.HTTP_1_1) {
                askForTunnel(upstream);
            } else {
                upstream.end();
            }
            return;
        }
        if ("100-continue".equalsIgnoreCase(request.getHeader("Expect"))) {
            response.writeContinue();
        }
        if (!upstream.headers().contains("Content-Length")) {
            upstream.setChunked(true);
        }
        Pump.move(request, upstream, DeclaredLength.of(request), idle::touch, tap == null ? chunk -> {} : tap::seen)
                .onComplete(
                        last -> {
                            if (tap != null) {
                                tap.sent();
                            }
                            upstream.end(last);
                        },
                        failure -> clientGone());
    }

    private void askForTunnel(HttpClientRequest upstream) {
        tunnel = true;
        upstream.headers().set("Connection", "Upgrade").set("Upgrade", request.getHeader("Upgrade"));
        upstream.connect();
    }

    private boolean hasBody() {
        if (request.headers().contains("Content-Length")) {
            return !"0".equals(request.getHeader("Content-Length"));
        }
        if (request.version() == HttpVersion.HTTP_2) {
            return !request.isEnded()
                    && !request.method().equals(HttpMethod.GET)
                    && !request.method().equals(HttpMethod.HEAD);
        }
        return request.headers().contains("Transfer-Encoding");
    }

    private void answered(HttpClientResponse answer) {
        if (over) {
            return;
        }
        loop.upstreamHealth().answered();
        if (tap != null) {
            tap.answered(answer.statusCode());
        }
        if (tunnel && answer.statusCode() == Tunnel.SWITCHING_PROTOCOLS) {
            counted = false;
            over();
            Tunnel.open(loop, request, answer);
            return;
        }
        boolean events = isEventStream(answer);
        if (events && !count()) {
            loop.counters().add(Count.STREAMS_FULL);
            // The upstream has seen the request, so the answer does not claim an outcome.
            refuse(dialect.answer(SERVICE_UNAVAILABLE, TOO_MANY_STREAMS).with("Retry-After", "1"));
            return;
        }
        deadline.stop();
        answer.pause();
        Headers.head(answer, request);
        if (!request.method().equals(HttpMethod.HEAD) && !response.headers().contains("Content-Length")) {
            response.setChunked(true);
        }
        if (events) {
            // Events may be far apart, and the first bytes tell the client that it is connected.
            idle.stop();
            age = loop.idle().deadline(loop.streams().age(), this::tooOld);
            response.writeHead();
        }
        Pump.move(answer, response, DeclaredLength.of(answer), idle::touch)
                .onComplete(last -> end(answer, last), this::broken);
    }

    private static boolean isEventStream(HttpClientResponse answer) {
        String type = answer.getHeader("Content-Type");
        return type != null && type.regionMatches(true, 0, EVENT_STREAM, 0, EVENT_STREAM.length());
    }

    /** Ends an event stream as if the service had: a client connects again where it was. */
    private void tooOld() {
        over();
        resetUpstream();
        response.end();
    }

    private void end(HttpClientResponse answer, Buffer last) {
        if (over) {
            return;
        }
        over();
        for (Map.Entry<String, String> trailer : answer.trailers()) {
            response.putTrailer(trailer.getKey(), trailer.getValue());
        }
        response.end(last);
        if (tunnel) {
            // Such a request is never ended, so no other request would get its connection.
            answer.request().connection().close();
        }
    }

    private void broken(Throwable cause) {
        fail(UpstreamFailure.interrupted(cause));
    }

    private void fail(UpstreamFailure failure) {
        if (over) {
            return;
        }
        loop.upstreamFailed(failure);
        if (tap != null) {
            tap.failed(failure.problem().type().status(), failure.meaning());
        }
        refuse(failure.answer(dialect));
    }

    private void refuse(Answer answer) {
        over();
        resetUpstream();
        if (response.headWritten()) {
            loop.connections().breakOff(request);
        } else {
            Answers.write(loop.vertx(), request, answer);
        }
    }

    private void clientGone() {
        if (over) {
            return;
        }
        over();
        resetUpstream();
    }

    private void resetUpstream() {
        if (sent != null) {
            UpstreamClient.abandon(sent);
        }
    }

    private void over() {
        over = true;
        idle.stop();
        deadline.stop();
        if (age != null) {
            age.stop();
        }
        if (counted) {
            loop.streams().closed();
        }
        if (tap != null) {
            if (sent == null || tunnel) {
                tap.abandoned();
            } else {
                tap.over();
            }
        }
    }
}
