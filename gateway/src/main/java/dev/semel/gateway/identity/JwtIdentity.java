package dev.semel.gateway.identity;

import com.nimbusds.jwt.SignedJWT;
import dev.semel.gateway.config.ConfigException;
import dev.semel.gateway.config.ScopeRule;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.text.ParseException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Callers whose tokens are verified with keys that their issuer publishes. */
record JwtIdentity(FetchedJwtKeys<JwtVerifier> keys) implements CallerIdentity {

    static JwtIdentity fetching(ScopeRule.FromJwt rule, URI url, LongSupplier nanos) {
        try {
            return new JwtIdentity(FetchedJwtKeys.of(url, keys -> JwtVerifier.of(rule, keys), nanos));
        } catch (CompletionException e) {
            throw new ConfigException("jwt-key: cannot fetch keys from " + url + ": " + FetchedJwtKeys.text(e), e);
        }
    }

    @Override
    public @Nullable String scopeOf(HttpServerRequest request) {
        String token = CallerIdentity.bearer(request);
        return token == null ? null : keys.made().callerOf(token);
    }

    @Override
    public @Nullable CompletionStage<?> preparation(HttpServerRequest request) {
        String token = CallerIdentity.bearer(request);
        if (token == null) {
            return null;
        }
        try {
            return keys.preparation(SignedJWT.parse(token).getHeader().getKeyID());
        } catch (ParseException e) {
            // It is refused when it is verified.
            return null;
        }
    }
}
