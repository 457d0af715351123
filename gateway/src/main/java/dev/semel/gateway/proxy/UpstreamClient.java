package dev.semel.gateway.proxy;

import dev.semel.Attempt;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Upstream;
import dev.semel.gateway.framing.ResponseGuard;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connections of one event loop to the upstream: each lane has its own, so that none can take those of another. */
final class UpstreamClient {

    private static final int HTTP2_CONNECTIONS = 2;

    /** How many streams a server of HTTP/2 should allow at least (RFC 9113, 6.5.2). */
    private static final int STREAMS_OF_A_CONNECTION = 100;

    /** The purpose of a connection. */
    enum Lane {
        /** Requests with a key. */
        PROTECTED,
        /** Requests without a key. */
        PASSED,
        /** Requests that ask for an event stream or a tunnel. */
        STREAMED
    }

    private final Upstream upstream;
    private final Map<Lane, HttpClient> clients = new EnumMap<>(Lane.class);

    UpstreamClient(Vertx vertx, GatewayConfig config) {
        this.upstream = config.upstream();
        for (Lane lane : Lane.values()) {
            clients.put(
                    lane,
                    vertx.httpClientBuilder()
                            .with(options(config))
                            .with(pool(config, lane))
                            .withConnectHandler(connection -> ResponseGuard.guard(connection, config.maxHeader()))
                            .build());
        }
    }

    private static HttpClientOptions options(GatewayConfig config) {
        Upstream upstream = config.upstream();
        HttpClientOptions options = new HttpClientOptions()
                .setSsl(upstream.isTls())
                .setVerifyHost(true)
                .setConnectTimeout(Math.toIntExact(upstream.connectTimeout().toMillis()))
                .setSslHandshakeTimeout(upstream.connectTimeout().toMillis())
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
                .setKeepAlive(!upstream.keepAlive().isZero())
                .setKeepAliveTimeout((int) Math.max(1, upstream.keepAlive().toSeconds()))
                .setPipelining(false)
                .setDecompressionSupported(false)
                .setMaxHeaderSize(config.maxHeader())
                .setTcpKeepAlive(true)
                .setProtocolVersion(upstream.http2() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1)
                .setUseAlpn(upstream.isTls() && upstream.http2())
                .setHttp2ClearTextUpgrade(false);
        if (upstream.ca() != null) {
            options.setTrustOptions(
                    new PemTrustOptions().addCertPath(upstream.ca().toString()));
        }
        return options;
    }

    /** How many connections there are for requests with a key. */
    static int protectedConnections(GatewayConfig config) {
        return Math.max(1, config.upstream().connections() / config.eventLoops());
    }

    private static PoolOptions pool(GatewayConfig config, Lane lane) {
        int loops = config.eventLoops();
        // A response may turn out to be a stream, wherever its request was sent; and all streams may meet on one loop.
        int streams = lane == Lane.PROTECTED ? 0 : config.streams().most();
        int others = switch (lane) {
            case PROTECTED -> protectedConnections(config);
            case PASSED -> Math.max(1, config.upstream().passConnections() / loops);
            case STREAMED -> 1;
        };
        return new PoolOptions()
                .setHttp1MaxSize(streams + others)
                .setHttp2MaxSize(HTTP2_CONNECTIONS + streams / STREAMS_OF_A_CONNECTION)
                .setMaxWaitQueueSize(Math.max(1, config.upstream().queue() / loops));
    }

    /** A request with everything but its body, on its own connection; as long as it fails, nothing was sent. */
    Future<HttpClientRequest> open(Lane lane, HttpServerRequest from, RequestTarget target, @Nullable Attempt attempt) {
        RequestOptions options;
        try {
            // Whatever cannot be said in a header is found out before a connection is taken.
            MultiMap headers = HttpHeaders.headers();
            Headers.toUpstream(from, headers, upstream, attempt);
            options = new RequestOptions()
                    .setMethod(from.method())
                    .setHost(upstream.host())
                    .setPort(upstream.port())
                    .setURI(target.below(upstream.basePath()))
                    .setHeaders(headers);
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(e);
        }
        Future<HttpClientRequest> opened =
                Objects.requireNonNull(clients.get(lane)).request(options);
        return upstream.preserveHost() && from.authority() != null
                ? opened.map(request -> request.authority(from.authority()))
                : opened;
    }

    /** Gives a request up. Of HTTP/1.1, its connection goes with it: it is not known what has been written there. */
    static void abandon(HttpClientRequest request) {
        request.reset();
        if (request.version() != HttpVersion.HTTP_2) {
            request.connection().close();
        }
    }
}
