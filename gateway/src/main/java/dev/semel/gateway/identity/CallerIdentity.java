package dev.semel.gateway.identity;

import dev.semel.gateway.config.ScopeRule;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says who sends a request, as far as the gateway can trust it. */
@FunctionalInterface
public interface CallerIdentity {

    /** The caller, or {@code null} if it is not known: a request with a key is then refused. */
    @Nullable
    String scopeOf(HttpServerRequest request);

    static CallerIdentity of(ScopeRule rule) {
        if (rule instanceof ScopeRule.FromHeader header) {
            return request -> only(request, header.name());
        }
        if (rule instanceof ScopeRule.FromJwt jwt) {
            JwtVerifier verifier = JwtVerifier.of(jwt);
            return request -> {
                String token = bearer(only(request, "Authorization"));
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

    /** The value of a header that stands there once; of two, nobody can say which one the proxy in front has set. */
    private static @Nullable String only(HttpServerRequest request, String name) {
        List<String> lines = request.headers().getAll(name);
        return lines.size() == 1 && !lines.get(0).isBlank() ? lines.get(0).strip() : null;
    }

    private static @Nullable String bearer(@Nullable String authorization) {
        String scheme = "Bearer ";
        return authorization != null && authorization.regionMatches(true, 0, scheme, 0, scheme.length())
                ? authorization.substring(scheme.length()).strip()
                : null;
    }
}
