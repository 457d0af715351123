package dev.semel.gateway.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.semel.gateway.config.ScopeRule;
import java.text.ParseException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Verifies type, signature, expiry, issuer and audience of a token, and takes the caller from one of its claims. */
final class JwtVerifier {

    private static final Logger log = LoggerFactory.getLogger(JwtVerifier.class);

    /**
     * The accepted values of {@code typ}: any token, or an access token (RFC 9068). Other types prove something else.
     */
    private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/jwt", "application/at+jwt");

    private final String claim;
    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    private JwtVerifier(String claim) {
        this.claim = claim;
    }

    static JwtVerifier of(ScopeRule.FromJwt rule, JWKSet keys) {
        JwtVerifier verifier = new JwtVerifier(rule.claim());
        // The algorithm is never the token's choice alone: it must be one that a key is made for.
        Set<JWSAlgorithm> algorithms = new HashSet<>();
        keys.getKeys().forEach(key -> algorithms.addAll(algorithmsOf(key)));
        verifier.processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, new ImmutableJWKSet<>(keys)));
        verifier.processor.setJWSTypeVerifier((type, context) -> {
            if (type != null && !TYPES.contains(type.getType().toLowerCase(Locale.ROOT))) {
                throw new BadJOSEException("the token is of the type " + type);
            }
        });
        JWTClaimsSet.Builder exact = new JWTClaimsSet.Builder();
        if (rule.trust().issuer() != null) {
            exact.issuer(rule.trust().issuer());
        }
        verifier.processor.setJWTClaimsSetVerifier(
                new DefaultJWTClaimsVerifier<>(rule.trust().audience(), exact.build(), Set.of("exp", rule.claim())));
        return verifier;
    }

    private static Set<JWSAlgorithm> algorithmsOf(JWK key) {
        if (key.getKeyType().equals(KeyType.RSA)) {
            return JWSAlgorithm.Family.RSA;
        }
        if (key.getKeyType().equals(KeyType.EC)) {
            return JWSAlgorithm.Family.EC;
        }
        return key.getKeyType().equals(KeyType.OCT) ? JWSAlgorithm.Family.HMAC_SHA : Set.of();
    }

    /** The caller, or {@code null} if the token does not prove one. */
    @Nullable
    String callerOf(String token) {
        try {
            Object value = processor.process(SignedJWT.parse(token), null).getClaim(claim);
            return value instanceof String || value instanceof Number ? value.toString() : null;
        } catch (ParseException | BadJOSEException | JOSEException e) {
            log.debug("a token was refused", e);
            return null;
        }
    }
}
