package dev.semel.gateway.config;

import dev.semel.Namespace;
import dev.semel.gateway.files.SecretFile;
import dev.semel.gateway.log.LogFormat;
import dev.semel.http.HttpRules;
import dev.semel.http.ReceiveLimits;
import dev.semel.policy.Policy;
import dev.semel.sealing.LocalMasterKeys;
import dev.semel.sealing.Sealing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration of the gateway, validated.
 *
 * @param admin where the console is; {@code null} for nowhere
 * @param store the store's URL
 * @param auditWindow how long the store keeps audit records of keys; {@code null} for not at all
 * @param sealing how stored responses are compressed and encrypted; {@code null} for not at all
 * @param digestKeys the keys of the digests in the store; {@code null} for plain ones
 * @param node the name of this gateway, which is shown with the keys that it claimed
 * @param peers the other gateways whose health the console shows
 * @param replayMarkers the headers that mark a replay; none where the dialect says it
 * @param routes in the order in which they are tried; the last one takes everything
 * @param lameDuck how long requests are served after SIGTERM before the listener closes
 * @param maxBuffered the most memory for bodies of protected requests and responses
 * @param maxConnections the most connections of clients
 * @param callerLimits what one caller may take
 */
public record GatewayConfig(
        Upstream upstream,
        Address listen,
        @Nullable Admin admin,
        String store,
        @Nullable Duration auditWindow,
        @Nullable Sealing sealing,
        @Nullable DigestKeys digestKeys,
        Namespace namespace,
        ScopeRule scope,
        String node,
        List<Peer> peers,
        List<String> replayMarkers,
        String statusPath,
        @Nullable Tls tls,
        List<Route> routes,
        Duration idleTimeout,
        ReceiveLimits receiving,
        Duration lameDuck,
        Duration drain,
        Logs logs,
        int maxHeader,
        long maxBuffered,
        Streams streams,
        int maxConnections,
        CallerLimits callerLimits,
        int eventLoops) {

    private static final int MIN_HEADER = 1024;

    /** Checks the settings of a command line and, if there is one, of a file. */
    public static GatewayConfig of(Settings settings, List<RouteSection> sections) {
        Address listen = settings.get(Setting.LISTEN, Address::parse);
        Duration idleTimeout = settings.get(Setting.IDLE_TIMEOUT, Parse::positiveDuration);
        Tls tls = tls(settings);
        DigestKeys digestKeys =
                settings.optional(Setting.DIGEST_KEYS, DigestKeys::read).orElse(null);
        Upstream upstream = upstream(settings, listen);
        ScopeRule scope = scope(settings, listen, digestKeys);
        List<Route> routes = routes(settings, sections, digestKeys);
        long maxBuffered = settings.get(Setting.MAX_BUFFERED, Heap::bodies);
        return new GatewayConfig(
                upstream,
                listen,
                Admin.of(settings, listen, tls).orElse(null),
                settings.get(Setting.STORE, text -> text),
                auditWindow(settings),
                sealing(settings),
                digestKeys,
                settings.get(Setting.NAMESPACE, Namespace::parse),
                scope,
                settings.optional(Setting.NODE, GatewayConfig::node).orElseGet(GatewayConfig::machine),
                settings.list(
                        Setting.PEER,
                        urls -> urls.stream().map(Peer::parse).distinct().toList()),
                settings.list(
                        Setting.REPLAY_MARKER,
                        names -> names.stream().map(Routes::headerName).toList()),
                settings.get(Setting.STATUS_PATH, text -> text),
                tls,
                routes,
                idleTimeout,
                ReceiveLimits.within(
                                settings.get(Setting.RECEIVE_TIMEOUT, Parse::positiveDuration),
                                settings.get(Setting.MIN_RATE, Parse::size))
                        .withGrace(idleTimeout),
                settings.get(Setting.LAME_DUCK, Parse::duration),
                settings.get(Setting.DRAIN, Parse::duration),
                new Logs(
                        settings.get(Setting.LOG_FORMAT, text -> Parse.choice(LogFormat.class, text)),
                        settings.get(Setting.ACCESS_LOG, Parse::bool)),
                settings.get(Setting.MAX_HEADER, text -> Math.max(MIN_HEADER, Parse.intSize(text))),
                maxBuffered,
                new Streams(
                        settings.get(Setting.MAX_STREAMS, text -> Parse.number(text, 0)),
                        settings.get(Setting.STREAM_AGE, Parse::positiveDuration)),
                settings.get(Setting.MAX_CONNECTIONS, Heap::connections),
                CallerLimits.of(settings, scope, upstream, maxBuffered, routes),
                settings.get(Setting.EVENT_LOOPS, text -> loops(Parse.number(text, 0))));
    }

    private static String node(String text) {
        if (!text.matches("[\\x21-\\x7e]{1,100}")) {
            throw new IllegalArgumentException(
                    "expected 1 to 100 printable characters without spaces, got \"" + text + "\"");
        }
        return text;
    }

    /** The host name; in a container, that of the container. */
    private static String machine() {
        String name = System.getenv("HOSTNAME");
        if (name == null || name.isBlank()) {
            try {
                name = InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                name = "gateway";
            }
        }
        return name.replaceAll("[^\\x21-\\x7e]", "_").substring(0, Math.min(name.length(), 100));
    }

    /**
     * Like {@link #of}, but reports all errors and not only the first.
     *
     * @param errors the errors that are already known
     * @throws ConfigException with a line for each error
     */
    public static GatewayConfig checked(Settings settings, List<RouteSection> sections, List<String> errors) {
        Set<String> all = new LinkedHashSet<>(errors);
        while (true) {
            try {
                GatewayConfig config = of(settings, sections);
                if (all.isEmpty()) {
                    return config;
                }
            } catch (ConfigException e) {
                if (all.add(String.valueOf(e.getMessage())) && e.takeOut()) {
                    continue;
                }
            }
            throw new ConfigException(String.join("\n", all));
        }
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
        boolean strict = settings.get(Setting.SEAL_STRICT, Parse::bool);
        if (keys.isPresent()) {
            Sealing sealing =
                    compresses ? Sealing.compressingAndEncrypting(keys.get()) : Sealing.encrypting(keys.get());
            return strict ? sealing.strict() : sealing;
        }
        if (strict) {
            throw settings.complaint(
                    Setting.SEAL_STRICT,
                    "needs the keys that stored responses are encrypted with: set --seal-keys FILE");
        }
        return compresses ? Sealing.compressing() : null;
    }

    private static LocalMasterKeys masterKeys(String file) {
        try {
            return LocalMasterKeys.read(SecretFile.require(Path.of(file)));
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be read: " + e, e);
        }
    }

    private static int loops(int asked) {
        return asked == 0 ? Runtime.getRuntime().availableProcessors() : asked;
    }

    private static Upstream upstream(Settings settings, Address listen) {
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
                settings.get(Setting.TRUST_FORWARDED, Parse::bool)
                        ? proxies(settings, listen, "trust-forwarded")
                        : TrustedProxies.NONE);
    }

    /** Checks a URL; the keys must not be replaceable on the way. */
    private static String jwtKeys(String text) {
        if (text.matches("https?://.*")) {
            URI url = Parse.url(text);
            if (!"https".equals(url.getScheme()) && !new Address(url.getHost(), 0).isLoopback()) {
                throw new IllegalArgumentException(
                        "expected an https URL, since someone who can change the answer can act as"
                                + " every caller, got \"" + text + "\"");
            }
        }
        return text;
    }

    private static ScopeRule scope(Settings settings, Address listen, @Nullable DigestKeys digestKeys) {
        ScopeRule.JwtTrust trust = settings.optional(Setting.JWT_KEY, GatewayConfig::jwtKeys)
                .map(keys -> new ScopeRule.JwtTrust(
                        keys,
                        settings.optional(Setting.JWT_ISSUER, text -> text).orElse(null),
                        settings.optional(Setting.JWT_AUDIENCE, text -> text).orElse(null)))
                .orElse(null);
        Optional<ScopeRule> scope = settings.optional(
                Setting.SCOPE,
                text -> ScopeRule.parse(
                        text,
                        text.startsWith("header:") ? proxies(settings, listen, "scope " + text) : TrustedProxies.NONE,
                        trust,
                        digestKeys));
        if (scope.isEmpty() && !listen.isLoopback()) {
            throw new ConfigException("scope is missing: " + listen + " can be reached from other machines, and a"
                    + " replayed response never passes the upstream's own authentication, so the gateway must know"
                    + " whose key it is. Set --scope to header:NAME, jwt:CLAIM, credential, or single if all requests"
                    + " come from one trusted caller (see: semel serve --help)");
        }
        return scope.orElseGet(ScopeRule.Single::new);
    }

    /** The proxies in front, which a setting that believes their headers needs. */
    private static TrustedProxies proxies(Settings settings, Address listen, String wanting) {
        if (settings.isGiven(Setting.TRUSTED_PROXIES)) {
            return settings.list(Setting.TRUSTED_PROXIES, TrustedProxies::parse);
        }
        if (!listen.isLoopback()) {
            throw new ConfigException("trusted-proxies is missing: " + listen
                    + " can be reached from other machines, and"
                    + " " + wanting + " believes headers that any of them can send. Set --trusted-proxies to the"
                    + " addresses of the proxies in front, for example 10.0.0.0/8 or 10.1.2.3,2001:db8::/32");
        }
        return TrustedProxies.LOOPBACK;
    }

    private static @Nullable Tls tls(Settings settings) {
        Optional<Path> certificate = settings.optional(Setting.TLS_CERT, Path::of);
        Optional<Path> key = settings.optional(Setting.TLS_KEY, file -> SecretFile.require(Path.of(file)));
        if (certificate.isPresent() != key.isPresent()) {
            throw new ConfigException("tls-cert and tls-key belong together: set both or neither");
        }
        return certificate.isPresent() ? new Tls(certificate.get(), key.get()) : null;
    }

    private static List<Route> routes(Settings settings, List<RouteSection> sections, @Nullable DigestKeys digestKeys) {
        List<Route> routes = new ArrayList<>();
        for (RouteSection section : sections) {
            routes.add(Routes.of(section.path(), section.operation(), section.settings(), digestKeys));
        }
        routes.add(Routes.of(PathPattern.parse("/**"), "default", settings, digestKeys));
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

    /** Settings that are allowed, but have a risk that the operator should know. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (store.equals("memory:")) {
            warnings.add("keys are kept in memory and are lost when this process ends");
        }
        if (scope instanceof ScopeRule.FromJwt jwt) {
            warnings.addAll(jwt.trust().warnings());
        }
        boolean opensScope =
                scope instanceof ScopeRule.FromHeader header && header.proxies().trustsEverybody();
        if (opensScope || upstream.forwardedBy().trustsEverybody()) {
            warnings.add("trusted-proxies has every address in it: any client that reaches " + listen
                    + " is believed; list the proxies in front");
        }
        return warnings;
    }

    /** The policies of all protected routes. */
    public Stream<Policy> policies() {
        return routes.stream()
                .flatMap(route -> Stream.ofNullable(route.rules()))
                .map(HttpRules::policy);
    }

    /** The settings of the log. */
    public record Logs(LogFormat format, boolean access) {}

    /** A route as it stands in the file. */
    public record RouteSection(PathPattern path, String operation, Settings settings) {

        boolean isLike(RouteSection other) {
            return path.text().equals(other.path.text())
                    && operation.equals(other.operation)
                    && settings.differences(other.settings).isEmpty();
        }
    }

    /** Whether two files have the same routes, in the same order. */
    public static boolean sameRoutes(List<RouteSection> some, List<RouteSection> others) {
        return some.size() == others.size()
                && IntStream.range(0, some.size()).allMatch(i -> some.get(i).isLike(others.get(i)));
    }
}
