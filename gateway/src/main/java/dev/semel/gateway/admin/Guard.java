package dev.semel.gateway.admin;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;

/** Decides who may ask and who may change, and tells browsers to keep everything else out. */
final class Guard {

    private static final String BEARER = "Bearer ";
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** Nothing but this server's own files; no inline scripts, no frames, no forms, no text that becomes HTML. */
    private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
            + " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    private final String token;
    private final AdminConnections connections;
    private final TokenGuesses guesses = new TokenGuesses(System::nanoTime);

    Guard(String token, AdminConnections connections) {
        this.token = token;
        this.connections = connections;
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

    /** Whether the request shows the token. One that does not is answered, and one of several guesses has to wait. */
    boolean admits(HttpServerRequest request) {
        String authorization = request.getHeader("Authorization");
        if (authorization == null) {
            refuse(request);
            return false;
        }
        String peer = String.valueOf(request.remoteAddress().hostAddress());
        // Nobody can shut out those who have shown the token before, by guessing from the same address.
        Duration wait = connections.isTrusted(request.connection()) ? Duration.ZERO : guesses.waitOf(peer);
        if (!wait.isZero()) {
            String seconds = Long.toString(wait.plusNanos(NANOS_PER_SECOND - 1).toSeconds());
            request.response().putHeader("Retry-After", seconds);
            Json.problem(
                    request, 429, "Too many wrong tokens", "Wait " + seconds + " s before you send a token again.");
            return false;
        }
        boolean right = isToken(authorization);
        connections.trust(request.connection(), right);
        if (!right) {
            guesses.wrong(peer);
            refuse(request);
        }
        return right;
    }

    private static void refuse(HttpServerRequest request) {
        request.response().putHeader("WWW-Authenticate", "Bearer");
        Json.problem(request, 401, "Not authorised", "Send the admin token as Authorization: Bearer TOKEN.");
    }

    private boolean isToken(String authorization) {
        return authorization.startsWith(BEARER)
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
