package dev.semel.gateway.proxy;

import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetSocket;

/** A connection that leaves HTTP, as for a WebSocket: from the upstream's consent on, bytes move as they come. */
final class Tunnel {

    static final int SWITCHING_PROTOCOLS = 101;

    private Tunnel() {}

    /** Passes the upstream's consent on, and joins both connections until one of them closes or the tunnel is too old. */
    static void open(LoopContext loop, HttpServerRequest request, HttpClientResponse consent) {
        Headers.toClient(consent.headers(), request.response().headers(), consent.version());
        request.response().headers().set("Connection", "Upgrade").set("Upgrade", consent.getHeader("Upgrade"));
        NetSocket service = consent.netSocket();
        service.pause();
        IdleWatch.Entry age = loop.idle().deadline(loop.streams().age(), service::close);
        service.closeHandler(closed -> {
            age.stop();
            loop.streams().closed();
            request.connection().close();
        });
        request.toNetSocket()
                .onComplete(
                        client -> {
                            client.closeHandler(closed -> service.close());
                            join(client, service);
                            join(service, client);
                        },
                        failure -> service.close());
    }

    private static void join(NetSocket from, NetSocket to) {
        Pump.move(from, to, () -> {}).onComplete(ended -> to.end(), broken -> to.close());
    }
}
