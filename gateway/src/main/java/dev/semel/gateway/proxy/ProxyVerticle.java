package dev.semel.gateway.proxy;

import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Tls;
import dev.semel.gateway.framing.RequestGuard;
import dev.semel.gateway.identity.CallerIdentity;
import dev.semel.gateway.limits.Budget;
import dev.semel.gateway.limits.StreamLimit;
import dev.semel.gateway.limits.Transfers;
import dev.semel.gateway.log.AccessLog;
import dev.semel.gateway.quota.Quotas;
import dev.semel.gateway.stats.Counters;
import dev.semel.gateway.stats.RequestTimes;
import dev.semel.gateway.stats.UpstreamHealth;
import dev.semel.http.HttpGate;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One event loop's share of the proxy: a server on the common port, and connections to the upstream of its own. */
public record ProxyVerticle(
        GatewayConfig config,
        HttpGate gate,
        CallerIdentity identity,
        Counters counters,
        UpstreamHealth upstreamHealth,
        RequestTimes times,
        Budget budget,
        StreamLimit streams,
        Quotas quotas,
        AcceptedConnections accepted,
        AccessLog access,
        BooleanSupplier leaving,
        List<HttpServer> servers)
        implements Deployable {

    /** Stands for a free port that all instances share. */
    private static final int SHARED_FREE_PORT = -1;

    @Override
    public Future<?> deploy(Context context) {
        Vertx vertx = context.owner();
        IdleWatch idle = new IdleWatch(vertx, config.idleTimeout());
        Connections connections =
                new Connections(idle, accepted, Integer.MAX_VALUE, counters::connectionsChanged, leaving);
        // Half of the connections are left to those who wait for an answer.
        Transfers transfers = new Transfers(Math.max(1, UpstreamClient.protectedConnections(config) / 2));
        LoopContext loop = new LoopContext(
                vertx,
                new UpstreamClient(vertx, config),
                connections,
                idle,
                counters,
                upstreamHealth,
                times,
                budget,
                streams,
                transfers,
                config.receiving(),
                access,
                quotas.ofNextLoop());
        int port =
                config.listen().port() == 0 ? SHARED_FREE_PORT : config.listen().port();
        HttpServer server = vertx.createHttpServer(options(config.tls(), config.maxHeader()))
                .connectionHandler(connection -> {
                    RequestGuard.guard(connection, config.maxHeader());
                    connections.opened(connection);
                })
                .requestHandler(new ProxyHandler(
                        loop, gate, config.routes(), identity, connections, new RequestCheck(config.scope())));
        servers.add(server);
        return ListenErrors.on(
                config.listen().toString(),
                "--listen",
                server.listen(port, config.listen().host()));
    }

    public static HttpServerOptions options(@Nullable Tls tls, int maxHeader) {
        HttpServerOptions options = new HttpServerOptions()
                .setMaxHeaderSize(maxHeader)
                .setMaxInitialLineLength(maxHeader)
                .setHttp2ClearTextEnabled(false)
                .setHandle100ContinueAutomatically(false)
                .setCompressionSupported(false)
                .setDecompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setTcpKeepAlive(true);
        options.getInitialSettings().setMaxHeaderListSize(maxHeader);
        if (tls != null) {
            options.setSsl(true).setUseAlpn(true).setKeyCertOptions(pem(tls));
        }
        return options;
    }

    private static PemKeyCertOptions pem(Tls tls) {
        return new PemKeyCertOptions()
                .addCertPath(Objects.toString(tls.certificate()))
                .addKeyPath(Objects.toString(tls.key()));
    }

    /** The certificate alone, for a server that listens already. */
    public static ServerSSLOptions certificate(Tls tls) {
        ServerSSLOptions options = new ServerSSLOptions();
        options.setUseAlpn(true)
                .setApplicationLayerProtocols(List.of("h2", "http/1.1"))
                .setKeyCertOptions(pem(tls));
        return options;
    }
}
