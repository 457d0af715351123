package dev.semel.gateway.proxy;

import dev.semel.gateway.config.ScopeRule;
import dev.semel.gateway.config.TrustedProxies;
import dev.semel.http.HttpRules;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses requests that a service may read differently than the gateway does, before a key is claimed or a connection
 * taken. HTTP/2 can carry what HTTP/1.1 cannot say.
 */
final class RequestCheck {

    /** A method is case-sensitive, but some services are not: {@code post} would pass unguarded, and run. */
    private static final Pattern METHOD = Pattern.compile("[A-Z0-9!#$%&'*+.^_`|~-]+");

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._~!$&'()*+,;=%\\[\\]:-]+");

    private static final Set<String> OVERRIDES = Set.of("x-http-method-override", "x-http-method", "x-method-override");

    /** Without which a message is another message, or another caller's. */
    private static final Set<String> NOT_OF_A_CONNECTION = Set.of(
            "authorization",
            "content-encoding",
            "content-length",
            "content-type",
            "cookie",
            "forwarded",
            "host",
            "idempotency-key",
            "x-real-ip");

    private static final Logger log = LoggerFactory.getLogger(RequestCheck.class);

    private final @Nullable String callerHeader;
    private final @Nullable TrustedProxies proxies;
    private boolean saidWhoIsNotTrusted;

    RequestCheck(ScopeRule scope) {
        ScopeRule.FromHeader header = scope instanceof ScopeRule.FromHeader found ? found : null;
        this.callerHeader = header == null ? null : header.name().toLowerCase(Locale.ROOT);
        this.proxies = header == null ? null : header.proxies();
    }

    /** Checks a request; returns the problem, or {@code null} if it is valid. */
    @Nullable
    String complaintOf(HttpServerRequest request, @Nullable RequestTarget target) {
        if (!METHOD.matcher(request.method().name()).matches()) {
            return "The method of this request is not one: methods are written in upper case.";
        }
        if (target == null) {
            return "The target of this request is not a path.";
        }
        if (!hasOneHost(request)) {
            return "A request names one host.";
        }
        if (request.headers().getAll("Content-Type").size() > 1) {
            return "A request has one content type.";
        }
        if (request.headers().contains("")) {
            return "This request has a header without a name.";
        }
        for (String name : Headers.connectionOptions(request.headers())) {
            if (name.equals(callerHeader) || NOT_OF_A_CONNECTION.contains(name) || name.startsWith("x-forwarded-")) {
                return "The header Connection names " + name + ", which does not concern the connection.";
            }
        }
        return null;
    }

    /** Whether a request asks the service to take it for one of another method, and that one is guarded where its own is not. */
    static boolean leadsAround(HttpServerRequest request, HttpRules rules) {
        if (rules.guards(request.method().name())) {
            return false;
        }
        for (Map.Entry<String, String> header : request.headers()) {
            String name = header.getKey().toLowerCase(Locale.ROOT).replace('_', '-');
            if (OVERRIDES.contains(name)
                    && rules.guards(header.getValue().strip().toUpperCase(Locale.ROOT))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Removes the name of a caller that no trusted proxy has written, so that neither the gateway nor the service believes
     * it. Many services take underscores for dashes, which a proxy that removes its own header may not know.
     */
    void removeForgedCaller(HttpServerRequest request) {
        if (callerHeader == null || proxies == null) {
            return;
        }
        String peer =
                request.remoteAddress() == null ? null : request.remoteAddress().hostAddress();
        boolean trusted = proxies.trusts(peer);
        if (!trusted && !saidWhoIsNotTrusted && request.headers().contains(callerHeader)) {
            saidWhoIsNotTrusted = true;
            log.warn(
                    "a request from {} names its caller in {}, but that address is not one of trusted-proxies: such"
                            + " requests have no caller (said once)",
                    peer,
                    callerHeader);
        }
        List<String> forged = new ArrayList<>();
        for (Map.Entry<String, String> header : request.headers()) {
            String name = header.getKey();
            boolean meansCaller = name.length() == callerHeader.length()
                    && name.replace('_', '-').equalsIgnoreCase(callerHeader.replace('_', '-'));
            if (meansCaller && !(trusted && name.equalsIgnoreCase(callerHeader))) {
                forged.add(name);
            }
        }
        forged.forEach(request.headers()::remove);
    }

    private static boolean hasOneHost(HttpServerRequest request) {
        List<String> lines = request.headers().getAll("Host");
        if (request.version() == HttpVersion.HTTP_2) {
            HostAndPort authority = request.authority();
            return authority != null
                    && HOST.matcher(authority.toString()).matches()
                    && lines.stream().allMatch(line -> line.equalsIgnoreCase(authority.toString()));
        }
        return (request.version() == HttpVersion.HTTP_1_0 && lines.isEmpty())
                || (lines.size() == 1 && HOST.matcher(lines.get(0)).matches());
    }
}
