package dev.semel.gateway.admin;

import dev.semel.gateway.config.Address;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides who may ask and who may change, and tells browsers to keep everything else out. */
final class Guard {

    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]", "::1");
    private static final String BEARER = "Bearer ";

    /** Nothing but this server's own files; no inline scripts, no frames, no forms, no text that becomes HTML. */
    private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
            + " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    private final @Nullable String token;
    private final Address address;

    Guard(@Nullable String token, Address address) {
        this.token = token;
        this.address = address;
    }

    void harden(HttpServerResponse response) {
        response.putHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("X-Frame-Options", "DENY")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin")
                .putHeader("Cache-Control", "no-store");
    }

    /**
     * Whether the request was meant for this server. Without a token, a web page elsewhere could otherwise point a name
     * of its own at the loopback and read everything.
     */
    boolean isOurHost(HttpServerRequest request) {
        if (token != null) {
            return true;
        }
        String host =
                request.authority() == null ? "" : request.authority().host().toLowerCase(Locale.ROOT);
        return LOOPBACK_NAMES.contains(host) || host.equals(address.host().toLowerCase(Locale.ROOT));
    }

    boolean mayAsk(HttpServerRequest request) {
        if (token == null) {
            return true;
        }
        String authorization = request.getHeader("Authorization");
        return authorization != null
                && authorization.startsWith(BEARER)
                && MessageDigest.isEqual(
                        authorization.substring(BEARER.length()).getBytes(StandardCharsets.UTF_8),
                        token.getBytes(StandardCharsets.UTF_8));
    }

    /** What only a client of ours sends: a form or script of another site cannot. */
    boolean mayChange(HttpServerRequest request) {
        String type = request.getHeader("Content-Type");
        return type != null
                && type.split(";")[0].strip().equalsIgnoreCase("application/json")
                && "1".equals(request.getHeader("Semel-Console"))
                && isOwnOrigin(request);
    }

    private static boolean isOwnOrigin(HttpServerRequest request) {
        String origin = request.getHeader("Origin");
        if (origin == null) {
            return true;
        }
        try {
            URI uri = URI.create(origin);
            return request.authority() != null
                    && uri.getAuthority() != null
                    && uri.getAuthority()
                            .equalsIgnoreCase(
                                    request.getHeader("Host") == null
                                            ? request.authority().toString()
                                            : request.getHeader("Host"));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
