package dev.semel.gateway;

import dev.semel.Semel;
import dev.semel.gateway.admin.AdminServer;
import dev.semel.gateway.admin.Overview;
import dev.semel.gateway.config.Admin;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Route;
import dev.semel.gateway.config.ScopeRule;
import dev.semel.gateway.config.Setting;
import dev.semel.gateway.identity.CallerIdentity;
import dev.semel.gateway.identity.ReplaceableIdentity;
import dev.semel.gateway.limits.Budget;
import dev.semel.gateway.limits.StreamLimit;
import dev.semel.gateway.log.AccessLog;
import dev.semel.gateway.log.LogEncoder;
import dev.semel.gateway.proxy.AcceptedConnections;
import dev.semel.gateway.proxy.Connections;
import dev.semel.gateway.proxy.IdleWatch;
import dev.semel.gateway.proxy.ListenErrors;
import dev.semel.gateway.proxy.ProxyVerticle;
import dev.semel.gateway.quota.Quotas;
import dev.semel.gateway.stats.AgentTracing;
import dev.semel.gateway.stats.Counters;
import dev.semel.gateway.stats.Health;
import dev.semel.gateway.stats.Metrics;
import dev.semel.gateway.stats.PeerProbe;
import dev.semel.gateway.stats.Sampler;
import dev.semel.gateway.stats.UpstreamHealth;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.shadow.ShadowRecorder;
import dev.semel.policy.Policy;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running gateway: the proxy, the engine behind it, and the admin server. */
public final class Gateway implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Gateway.class);

    /**
     * The maximum number of admin connections: more than people and scripts need, and few enough to limit untrusted
     * clients.
     */
    private static final int ADMIN_CONNECTIONS = 64;

    private static final long HEALTH_MILLIS = 1000;

    private final String version;
    private final GatewayConfig config;
    private final KeyStore store;
    private final Vertx vertx;
    private final Counters counters = new Counters();
    private final UpstreamHealth upstreamHealth;
    private final List<PeerProbe> peers;
    private final Metrics metrics;
    private final AcceptedConnections accepted;
    private final Budget budget;
    private final StreamLimit streams;
    private final Quotas quotas;
    private final Semel semel;
    private final @Nullable ShadowRecorder shadow;
    private final List<HttpServer> servers = new CopyOnWriteArrayList<>();
    private final Sampler sampler;
    private final AccessLog access;
    private volatile CallerIdentity identity;
    private volatile @Nullable AdminServer admin;
    private volatile boolean draining;

    /** How long it takes to stop, which a reload may change. */
    private volatile Duration lameDuck;

    private volatile Duration drain;

    private Gateway(String version, GatewayConfig config, KeyStore store, CallerIdentity identity) {
        this.version = version;
        this.config = config;
        this.store = store;
        this.identity = identity;
        this.access = new AccessLog(config.logs().access());
        this.lameDuck = config.lameDuck();
        this.drain = config.drain();
        this.upstreamHealth = new UpstreamHealth(config.upstream().url().toString(), Clock.systemUTC());
        this.budget = new Budget(config.maxBuffered());
        this.streams = new StreamLimit(config.streams().most(), config.streams().age());
        this.accepted = new AcceptedConnections(config.maxConnections());
        this.metrics = new Metrics(
                version,
                StoreUrls.kind(config.store()),
                config.routes(),
                config.policies().map(Policy::operation));
        this.vertx = Vertx.builder()
                .withTransport(accepted)
                .with(new VertxOptions()
                        .setEventLoopPoolSize(config.eventLoops())
                        .setFileSystemOptions(new FileSystemOptions()
                                .setFileCachingEnabled(false)
                                .setClassPathResolvingEnabled(false)))
                .build();
        this.peers = config.peers().stream()
                .map(peer -> new PeerProbe(vertx, peer, PeerProbe.PATIENCE, Clock.systemUTC()))
                .toList();
        Semel.Builder engine = Semel.builder(store)
                .listener(counters)
                .listener(metrics.ofEngine())
                .tracing(AgentTracing.find())
                .shutdownGrace(config.drain());
        config.policies().forEach(engine::policy);
        if (config.digestKeys() != null) {
            engine.fingerprintKey(config.digestKeys().ofFingerprints());
        } else if (config.scope() instanceof ScopeRule.FromCredential) {
            log.warn("credentials are stored as plain digests, which someone who reads the store can guess: set"
                    + " --digest-keys");
        }
        for (Route route : config.routes()) {
            if (route.reconcileUrl() != null) {
                engine.reconciler(route.operation(), new HttpReconciler(vertx, route.reconcileUrl(), route.timeout()));
            }
        }
        this.semel = engine.build();
        this.shadow = shadow(config, store);
        metrics.watch(semel, store, counters, budget::used);
        Duration retention = config.policies()
                .map(policy -> policy.retention().total())
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        this.sampler = new Sampler(counters, store, retention);
        this.quotas = new Quotas(config.callerLimits(), config.eventLoops(), retention);
        metrics.watch(quotas, config.policies().map(Policy::operation));
        metrics.watch(upstreamHealth);
    }

    /** Starts a gateway; when this returns, it listens. The store is closed with it. */
    public static Gateway start(String version, GatewayConfig config, KeyStore store) {
        return start(version, config, store, CallerIdentity.of(config.scope()));
    }

    static Gateway start(String version, GatewayConfig config, KeyStore store, CallerIdentity identity) {
        Gateway gateway = new Gateway(version, config, store, identity);
        try {
            gateway.listen();
            return gateway;
        } catch (RuntimeException e) {
            gateway.close();
            throw e;
        }
    }

    private void listen() {
        HttpGate gate = gate();
        await(vertx.deployVerticle(
                () -> new ProxyVerticle(
                        config,
                        gate,
                        new ReplaceableIdentity(() -> identity),
                        counters,
                        upstreamHealth,
                        metrics.times(),
                        budget,
                        streams,
                        quotas,
                        accepted,
                        access,
                        () -> draining,
                        servers),
                new DeploymentOptions().setInstances(config.eventLoops())));
        accepted.watch(vertx, config.idleTimeout());
        sampler.tick(Instant.now());
        vertx.setPeriodic(Sampler.INTERVAL.toMillis(), timer -> sampler.tick(Instant.now()));
        // Also without claims, so that health requests get the current state.
        vertx.setPeriodic(1, HEALTH_MILLIS, timer -> semel.storeHealth());
        peers.forEach(peer -> vertx.setPeriodic(1, HEALTH_MILLIS, timer -> peer.ask()));
        KeyStore.capability(store, Inspecting.class)
                .ifPresent(inspecting -> vertx.setPeriodic(
                        1,
                        Quotas.INTERVAL.toMillis(),
                        timer -> quotas.askForUnknown(inspecting, config.namespace(), sampler.statistics())));
        if (config.admin() != null) {
            Admin settings = config.admin();
            await(vertx.deployVerticle(
                    context -> ListenErrors.on(settings.toString(), "--admin", listenForAdmins(settings))
                            .onSuccess(this::keep)));
        }
    }

    private void keep(AdminServer listening) {
        admin = listening;
    }

    private Future<AdminServer> listenForAdmins(Admin settings) {
        Overview overview = new Overview(
                version,
                config,
                StoreUrls.redacted(config.store()),
                store,
                counters,
                sampler,
                budget::used,
                quotas,
                () -> metrics.clients().clients().size(),
                () -> draining,
                new Health(semel, upstreamHealth, peers),
                Instant.now());
        return AdminServer.listen(
                vertx.createHttpServer(ProxyVerticle.options(settings.tls(), config.maxHeader())),
                settings,
                new Connections(
                        new IdleWatch(vertx, config.idleTimeout()),
                        accepted,
                        ADMIN_CONNECTIONS,
                        changed -> {},
                        () -> false),
                overview,
                metrics);
    }

    private HttpGate gate() {
        HttpGate.Builder gate = HttpGate.builder(semel)
                .namespace(config.namespace())
                .node(config.node())
                .listener(counters.and(metrics.ofRequests()));
        boolean accepts = config.routes().stream()
                .flatMap(route -> Stream.<HttpRules>ofNullable(route.rules()))
                .anyMatch(rules -> !rules.isShadow() && rules.needsStatusResource());
        if (accepts) {
            gate.statusPath(config.statusPath());
        }
        if (!config.replayMarkers().isEmpty()) {
            gate.replayMarker(config.replayMarkers().toArray(String[]::new));
        }
        if (shadow != null) {
            gate.shadow(shadow);
        }
        config.routes().stream()
                .flatMap(route -> Stream.<HttpRules>ofNullable(route.rules()))
                .forEach(gate::rules);
        return gate.build();
    }

    /** The recorder for shadow mode; {@code null} if no route uses it. */
    private static @Nullable ShadowRecorder shadow(GatewayConfig config, KeyStore store) {
        if (config.routes().stream()
                .flatMap(route -> Stream.<HttpRules>ofNullable(route.rules()))
                .noneMatch(HttpRules::isShadow)) {
            return null;
        }
        ShadowRecorder.Builder recorder = ShadowRecorder.builder(store).namespace(config.namespace());
        if (config.digestKeys() != null) {
            recorder.fingerprintKey(config.digestKeys().ofFingerprints());
        }
        return recorder.build();
    }

    /** Waits; never to be called on an event loop. */
    public static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    /** The port that clients connect to, also when a free one was asked for. */
    public int port() {
        return servers.get(0).actualPort();
    }

    /** The port of the admin address; 0 if there is none. */
    public int adminPort() {
        return admin == null ? 0 : admin.port();
    }

    /**
     * Applies the settings that can change while requests run, and reads files again: tokens, keys that verify callers,
     * and certificates. All other settings are applied by the next start.
     *
     * @return the settings that are applied as in the new configuration
     * @throws RuntimeException if something cannot be read or fetched; the old configuration then stays
     */
    public synchronized Set<Setting> reload(GatewayConfig next) {
        Set<Setting> taken = EnumSet.of(Setting.LOG_FORMAT, Setting.ACCESS_LOG, Setting.LAME_DUCK, Setting.DRAIN);
        // First what can fail.
        CallerIdentity callers = identity;
        if (config.scope() instanceof ScopeRule.FromJwt was
                && next.scope() instanceof ScopeRule.FromJwt is
                && was.claim().equals(is.claim())) {
            callers = CallerIdentity.of(is);
            taken.addAll(Set.of(Setting.JWT_KEY, Setting.JWT_ISSUER, Setting.JWT_AUDIENCE));
        }
        AdminServer listening = admin;
        if (config.tls() != null && next.tls() != null) {
            ServerSSLOptions certificate = ProxyVerticle.certificate(next.tls());
            for (HttpServer server : servers) {
                await(server.updateSSLOptions(certificate, true));
            }
            if (listening != null && config.admin() != null && config.admin().tls() != null) {
                await(listening.use(certificate));
            }
            taken.addAll(Set.of(Setting.TLS_CERT, Setting.TLS_KEY));
        }
        identity = callers;
        if (listening != null && next.admin() != null && !next.admin().generated()) {
            listening.use(next.admin().tokens());
            taken.addAll(Set.of(Setting.ADMIN_TOKEN, Setting.ADMIN_TOKENS));
        }
        LogEncoder.use(next.logs().format());
        access.use(next.logs().access());
        lameDuck = next.lameDuck();
        drain = next.drain();
        return taken;
    }

    /**
     * Drains the gateway: it reports that it is not ready, still serves requests for a while, then accepts no new
     * connections, waits for running requests as long as the configuration says, and closes everything.
     */
    @Override
    public void close() {
        draining = true;
        if (!lameDuck.isZero() && !servers.isEmpty()) {
            log.info("not ready any more, serving for another {}", lameDuck);
            await(vertx.timer(lameDuck));
        }
        log.info("draining, for at most {}", drain);
        Future<?> drained = Future.join(
                servers.stream().map(server -> server.shutdown(drain)).toList());
        drained.otherwiseEmpty().toCompletionStage().toCompletableFuture().join();
        if (shadow != null) {
            shadow.close();
        }
        semel.close();
        peers.forEach(PeerProbe::close);
        await(vertx.close());
        metrics.close();
        store.close();
        log.info("stopped");
    }
}
