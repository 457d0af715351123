package dev.semel.gateway.admin;

import dev.semel.gateway.access.AccessTokens;
import dev.semel.gateway.access.Visitor;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Authenticates requests, checks their roles, and sends the security headers for browsers. */
final class Guard {

    private static final String BEARER = "Bearer ";
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** Nothing but this server's own files; no inline scripts, no frames, no forms, no text that becomes HTML. */
    private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
            + " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    private volatile AccessTokens tokens;
    private final AdminConnections connections;
    private final TokenGuesses guesses = new TokenGuesses(System::nanoTime);

    Guard(AccessTokens tokens, AdminConnections connections) {
        this.tokens = tokens;
        this.connections = connections;
    }

    /** Accepts these tokens from now on, and no others. */
    void use(AccessTokens next) {
        tokens = next;
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
     * Who sent the request; {@code null} if it shows no token of ours. Such a request is answered here, and one of several
     * guesses has to wait.
     */
    @Nullable
    Visitor visitor(HttpServerRequest request) {
        String authorization = request.getHeader("Authorization");
        if (authorization == null) {
            refuse(request);
            return null;
        }
        String peer = String.valueOf(request.remoteAddress().hostAddress());
        // Guesses from the same address cannot shut out those who have used the token before.
        Duration wait = connections.isTrusted(request.connection()) ? Duration.ZERO : guesses.waitOf(peer);
        if (!wait.isZero()) {
            String seconds = Long.toString(wait.plusNanos(NANOS_PER_SECOND - 1).toSeconds());
            request.response().putHeader("Retry-After", seconds);
            Json.problem(
                    request, 429, "Too many wrong tokens", "Wait " + seconds + " s before you send a token again.");
            return null;
        }
        Visitor visitor = find(request, authorization, peer);
        connections.trust(request.connection(), visitor != null);
        if (visitor == null) {
            guesses.wrong(peer);
            refuse(request);
        }
        return visitor;
    }

    private static void refuse(HttpServerRequest request) {
        request.response().putHeader("WWW-Authenticate", "Bearer");
        Json.problem(request, 401, "Not authorised", "Send a token of this address as Authorization: Bearer TOKEN.");
    }

    private @Nullable Visitor find(HttpServerRequest request, String authorization, String peer) {
        // A header that comes twice may have been sent by a client, and be in front of what its proxy says.
        boolean once = request.headers().getAll(AccessTokens.USER_HEADER).size() <= 1
                && request.headers().getAll(AccessTokens.ROLES_HEADER).size() <= 1;
        if (!authorization.startsWith(BEARER) || !once) {
            return null;
        }
        try {
            return tokens.visitor(
                    authorization.substring(BEARER.length()),
                    peer,
                    request.getHeader(AccessTokens.USER_HEADER),
                    request.getHeader(AccessTokens.ROLES_HEADER));
        } catch (IllegalArgumentException e) {
            // What a proxy says is no name of a person.
            return null;
        }
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
