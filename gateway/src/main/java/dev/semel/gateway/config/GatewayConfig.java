package dev.semel.gateway.config;

import dev.semel.Namespace;
import dev.semel.Policy;
import dev.semel.http.HttpRules;
import dev.semel.http.Receiving;
import dev.semel.sealing.LocalMasterKeys;
import dev.semel.sealing.Sealing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything the gateway is told, checked.
 *
 * @param admin where the console is; {@code null} for nowhere
 * @param store the store's URL
 * @param auditWindow how long the store keeps what people need of a key after all else; {@code null} for not at all
 * @param sealing how stored responses are compressed and encrypted; {@code null} for not at all
 * @param routes in the order in which they are tried; the last one takes everything
 * @param maxBuffered the most memory for bodies of protected requests and responses
 * @param maxConnections the most connections of clients
 */
public record GatewayConfig(
        Upstream upstream,
        Address listen,
        @Nullable Address admin,
        @Nullable String adminToken,
        String store,
        @Nullable Duration auditWindow,
        @Nullable Sealing sealing,
        Namespace namespace,
        ScopeRule scope,
        String statusPath,
        @Nullable Tls tls,
        List<Route> routes,
        Duration idleTimeout,
        Receiving receiving,
        Duration drain,
        int maxHeader,
        long maxBuffered,
        Streams streams,
        int maxConnections,
        int eventLoops) {

    private static final int MIN_HEADER = 1024;

    /** Checks the settings of a command line and, if there is one, of a file. */
    public static GatewayConfig of(Settings settings, List<RouteSection> sections) {
        Address listen = settings.get(Setting.LISTEN, Address::parse);
        Optional<Address> admin = settings.get(
                Setting.ADMIN,
                text -> Optional.of(text).filter(on -> !on.equals("off")).map(Address::parse));
        Duration idleTimeout = settings.get(Setting.IDLE_TIMEOUT, Parse::positiveDuration);
        if (admin.isPresent() && admin.get().clashesWith(listen)) {
            throw settings.complaint(
                    Setting.ADMIN,
                    "the admin address " + admin.get() + " and the address of the proxy, --listen " + listen
                            + ", are the same: give one of them another port");
        }
        return new GatewayConfig(
                upstream(settings),
                listen,
                admin.orElse(null),
                admin.flatMap(address -> adminToken(settings, address)).orElse(null),
                settings.get(Setting.STORE, text -> text),
                auditWindow(settings),
                sealing(settings),
                settings.get(Setting.NAMESPACE, Namespace::parse),
                scope(settings, listen),
                settings.get(Setting.STATUS_PATH, text -> text),
                tls(settings),
                routes(settings, sections),
                idleTimeout,
                Receiving.within(
                                settings.get(Setting.RECEIVE_TIMEOUT, Parse::positiveDuration),
                                settings.get(Setting.MIN_RATE, Parse::size))
                        .withGrace(idleTimeout),
                settings.get(Setting.DRAIN, Parse::duration),
                settings.get(Setting.MAX_HEADER, text -> Math.max(MIN_HEADER, Parse.intSize(text))),
                settings.get(Setting.MAX_BUFFERED, Heap::bodies),
                new Streams(
                        settings.get(Setting.MAX_STREAMS, text -> Parse.number(text, 0)),
                        settings.get(Setting.STREAM_AGE, Parse::positiveDuration)),
                settings.get(Setting.MAX_CONNECTIONS, Heap::connections),
                settings.get(Setting.EVENT_LOOPS, text -> loops(Parse.number(text, 0))));
    }

    private static @Nullable Duration auditWindow(Settings settings) {
        Optional<Duration> window = settings.optional(Setting.AUDIT_WINDOW, Parse::positiveDuration);
        if (window.isPresent() && !settings.get(Setting.STORE, text -> text).startsWith("jdbc:postgresql:")) {
            throw settings.complaint(
                    Setting.AUDIT_WINDOW,
                    "only a store in PostgreSQL (jdbc:postgresql://HOST/DATABASE) has an audit window of its own; with"
                            + " another store, keep records for longer with --audit");
        }
        return window.orElse(null);
    }

    private static @Nullable Sealing sealing(Settings settings) {
        boolean compresses = settings.get(Setting.COMPRESS, Parse::bool);
        Optional<LocalMasterKeys> keys = settings.optional(Setting.SEAL_KEYS, GatewayConfig::masterKeys);
        if (keys.isPresent()) {
            return compresses ? Sealing.compressingAndEncrypting(keys.get()) : Sealing.encrypting(keys.get());
        }
        return compresses ? Sealing.compressing() : null;
    }

    private static LocalMasterKeys masterKeys(String file) {
        try {
            return LocalMasterKeys.read(Path.of(file));
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be read: " + e, e);
        }
    }

    private static int loops(int asked) {
        return asked == 0 ? Runtime.getRuntime().availableProcessors() : asked;
    }

    private static Upstream upstream(Settings settings) {
        return new Upstream(
                settings.get(Setting.UPSTREAM, Parse::url),
                settings.optional(Setting.UPSTREAM_CA, Path::of).orElse(null),
                settings.get(Setting.UPSTREAM_HTTP2, Parse::bool),
                settings.get(Setting.UPSTREAM_CONNECTIONS, text -> Parse.number(text, 1)),
                settings.get(Setting.PASS_CONNECTIONS, text -> Parse.number(text, 1)),
                settings.get(Setting.MAX_QUEUE, text -> Parse.number(text, 0)),
                settings.get(Setting.UPSTREAM_KEEP_ALIVE, Parse::duration),
                settings.get(Setting.CONNECT_TIMEOUT, Parse::positiveDuration),
                settings.get(Setting.PRESERVE_HOST, Parse::bool),
                settings.get(Setting.TRUST_FORWARDED, Parse::bool));
    }

    private static Optional<String> adminToken(Settings settings, Address admin) {
        Optional<String> token = settings.optional(Setting.ADMIN_TOKEN, text -> text)
                .or(() -> Optional.ofNullable(System.getenv("SEMEL_ADMIN_TOKEN")))
                .filter(text -> !text.isBlank());
        if (token.isEmpty() && !admin.isLoopback()) {
            throw settings.complaint(
                    Setting.ADMIN,
                    "the admin address " + admin + " can be reached from other machines, where it shows stored"
                            + " responses and resolves keys: set --admin-token (or SEMEL_ADMIN_TOKEN), or use a"
                            + " loopback address");
        }
        return token;
    }

    private static ScopeRule scope(Settings settings, Address listen) {
        ScopeRule.JwtTrust trust = settings.optional(Setting.JWT_KEY, Path::of)
                .map(keys -> new ScopeRule.JwtTrust(
                        keys,
                        settings.optional(Setting.JWT_ISSUER, text -> text).orElse(null),
                        settings.optional(Setting.JWT_AUDIENCE, text -> text).orElse(null)))
                .orElse(null);
        Optional<ScopeRule> scope = settings.optional(Setting.SCOPE, text -> ScopeRule.parse(text, trust));
        if (scope.isEmpty() && !listen.isLoopback()) {
            throw new ConfigException("scope is missing: " + listen + " can be reached from other machines, and a"
                    + " replayed response never passes the upstream's own authentication, so the gateway must know"
                    + " whose key it is. Set --scope to header:NAME, jwt:CLAIM, credential, or single if all requests"
                    + " come from one trusted caller (see: semel serve --help)");
        }
        return scope.orElseGet(ScopeRule.Single::new);
    }

    private static @Nullable Tls tls(Settings settings) {
        Optional<Path> certificate = settings.optional(Setting.TLS_CERT, Path::of);
        Optional<Path> key = settings.optional(Setting.TLS_KEY, Path::of);
        if (certificate.isPresent() != key.isPresent()) {
            throw new ConfigException("tls-cert and tls-key belong together: set both or neither");
        }
        return certificate.isPresent() ? new Tls(certificate.get(), key.get()) : null;
    }

    private static List<Route> routes(Settings settings, List<RouteSection> sections) {
        List<Route> routes = new ArrayList<>();
        for (RouteSection section : sections) {
            routes.add(Routes.of(section.path(), section.operation(), section.settings()));
        }
        routes.add(Routes.of(PathPattern.parse("/**"), "default", settings));
        List<String> operations = routes.stream().map(Route::operation).toList();
        operations.stream()
                .filter(name -> operations.indexOf(name) != operations.lastIndexOf(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new ConfigException("two routes have the operation \"" + name
                            + "\": give each its own, since it names what keys belong to");
                });
        requireNoneShadowed(routes.subList(0, sections.size()));
        return List.copyOf(routes);
    }

    /** The first route that matches a path takes it, so a route behind a wider one would never be used. */
    private static void requireNoneShadowed(List<Route> routes) {
        for (int later = 1; later < routes.size(); later++) {
            for (Route earlier : routes.subList(0, later)) {
                Route shadowed = routes.get(later);
                if (earlier.path().covers(shadowed.path())) {
                    throw new ConfigException("route " + shadowed.path() + " (operation \"" + shadowed.operation()
                            + "\") is never used, because route " + earlier.path() + " (operation \""
                            + earlier.operation() + "\") before it takes all of its paths: move it before that one");
                }
            }
        }
    }

    /** The policies of all protected routes. */
    public Stream<Policy> policies() {
        return routes.stream()
                .flatMap(route -> Stream.ofNullable(route.rules()))
                .map(HttpRules::policy);
    }

    /** A route as it stands in the file. */
    public record RouteSection(PathPattern path, String operation, Settings settings) {}
}
