package dev.semel.gateway.identity;

import dev.semel.gateway.config.ConfigException;
import dev.semel.gateway.config.ScopeRule;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Identifies the caller of a request, from sources that the gateway can trust. */
@FunctionalInterface
public interface CallerIdentity {

    /** The caller, or {@code null} if it is unknown: a request with a key is then refused. */
    @Nullable
    String scopeOf(HttpServerRequest request);

    /** The stage that a request must wait for before you call {@link #scopeOf}; {@code null} if it need not wait. */
    default @Nullable CompletionStage<?> preparation(HttpServerRequest request) {
        return null;
    }

    /**
     * Reads or fetches the keys that the rule needs, and waits for them.
     *
     * @throws ConfigException if they are not available
     */
    static CallerIdentity of(ScopeRule rule) {
        if (rule instanceof ScopeRule.FromHeader header) {
            return request -> only(request, header.name());
        }
        if (rule instanceof ScopeRule.FromJwt jwt) {
            if (jwt.trust().url() != null) {
                return JwtIdentity.fetching(jwt, jwt.trust().url(), System::nanoTime);
            }
            JwtVerifier verifier =
                    JwtVerifier.of(jwt, JwtKeys.read(Path.of(jwt.trust().keys())));
            return request -> {
                String token = bearer(request);
                return token == null ? null : verifier.callerOf(token);
            };
        }
        if (rule instanceof ScopeRule.FromCredential digested) {
            return request -> {
                String credential = only(request, "Authorization");
                return credential == null ? null : digested.callerOf(credential);
            };
        }
        return request -> "single";
    }

    /** The value of a header that is present once; of two, it is not known which one the proxy in front has set. */
    private static @Nullable String only(HttpServerRequest request, String name) {
        List<String> lines = request.headers().getAll(name);
        return lines.size() == 1 && !lines.get(0).isBlank() ? lines.get(0).strip() : null;
    }

    static @Nullable String bearer(HttpServerRequest request) {
        String authorization = only(request, "Authorization");
        String scheme = "Bearer ";
        return authorization != null && authorization.regionMatches(true, 0, scheme, 0, scheme.length())
                ? authorization.substring(scheme.length()).strip()
                : null;
    }
}
