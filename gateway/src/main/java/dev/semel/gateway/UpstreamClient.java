package dev.semel.gateway;

import dev.semel.Attempt;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Upstream;
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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connections of one event loop to the upstream. */
final class UpstreamClient {

    private static final int HTTP2_CONNECTIONS = 2;

    private final Upstream upstream;
    private final HttpClient client;

    UpstreamClient(Vertx vertx, GatewayConfig config) {
        this.upstream = config.upstream();
        this.client = vertx.createHttpClient(options(config), pool(config));
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

    private static PoolOptions pool(GatewayConfig config) {
        int loops = config.eventLoops();
        return new PoolOptions()
                .setHttp1MaxSize(Math.max(1, config.upstream().connections() / loops))
                .setHttp2MaxSize(HTTP2_CONNECTIONS)
                .setMaxWaitQueueSize(Math.max(1, config.upstream().queue() / loops));
    }

    /** A request with everything but its body, on a connection of its own; as long as it fails, nothing was sent. */
    Future<HttpClientRequest> open(HttpServerRequest from, RequestTarget target, @Nullable Attempt attempt) {
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
        return client.request(options).map(request -> {
            if (upstream.preserveHost() && from.authority() != null) {
                request.authority(from.authority());
            }
            return request;
        });
    }

    /** Gives a request up. Of HTTP/1.1, its connection goes with it: nobody knows what has been written there. */
    static void abandon(HttpClientRequest request) {
        request.reset();
        if (request.version() != HttpVersion.HTTP_2) {
            request.connection().close();
        }
    }
}
