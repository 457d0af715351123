package dev.semel.gateway;

import dev.semel.gateway.stats.Counters.Count;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetSocket;

/** A connection that leaves HTTP, as for a WebSocket: from the upstream's consent on, bytes move as they come. */
final class Tunnel {

    private static final int SWITCHING_PROTOCOLS = 101;

    private Tunnel() {}

    static void start(Traffic traffic, HttpServerRequest request) {
        traffic.upstream()
                .open(request, null)
                .onComplete(
                        upstream -> ask(traffic, request, upstream),
                        failure -> fail(traffic, request, UpstreamFailure.unreachable(failure)));
    }

    private static void ask(Traffic traffic, HttpServerRequest request, HttpClientRequest upstream) {
        upstream.headers().set("Connection", "Upgrade").set("Upgrade", request.getHeader("Upgrade"));
        upstream.connect()
                .onComplete(
                        answer -> answered(traffic, request, answer),
                        failure -> fail(traffic, request, UpstreamFailure.interrupted(failure)));
    }

    private static void answered(Traffic traffic, HttpServerRequest request, HttpClientResponse answer) {
        Headers.toClient(answer.headers(), request.response().headers(), answer.version());
        if (answer.statusCode() != SWITCHING_PROTOCOLS) {
            refused(traffic, request, answer);
            return;
        }
        request.response().headers().set("Connection", "Upgrade").set("Upgrade", answer.getHeader("Upgrade"));
        NetSocket service = answer.netSocket();
        service.pause();
        request.toNetSocket()
                .onComplete(
                        client -> {
                            join(client, service);
                            join(service, client);
                        },
                        failure -> service.close());
    }

    private static void refused(Traffic traffic, HttpServerRequest request, HttpClientResponse answer) {
        answer.body()
                .onComplete(
                        body -> request.response()
                                .setStatusCode(answer.statusCode())
                                .end(body),
                        failure -> fail(traffic, request, UpstreamFailure.interrupted(failure)));
    }

    private static void join(NetSocket from, NetSocket to) {
        from.closeHandler(closed -> to.close());
        Pump.move(from, to, () -> {}).onComplete(ended -> to.end(), broken -> to.close());
    }

    private static void fail(Traffic traffic, HttpServerRequest request, UpstreamFailure failure) {
        traffic.counters().add(Count.UPSTREAM_FAILURES);
        Answers.write(traffic.vertx(), request, failure.answer());
    }
}
