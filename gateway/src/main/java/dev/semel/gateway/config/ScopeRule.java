package dev.semel.gateway.config;

import dev.semel.util.LengthPrefixedDigest;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How the gateway learns who sends a request. */
public sealed interface ScopeRule {

    /**
     * A header that an authenticating proxy in front sets, and clients cannot.
     *
     * @param proxies who may set it
     */
    record FromHeader(String name, TrustedProxies proxies) implements ScopeRule {}

    /**
     * A claim of a bearer token whose signature and expiry the gateway verifies.
     *
     * @param trust the keys and names that verify it
     */
    record FromJwt(String claim, JwtTrust trust) implements ScopeRule {}

    /**
     * The keys that verify tokens, and the issuer and audience that they must name.
     *
     * @param keys a file, or the URL of a JWK set
     */
    record JwtTrust(
            String keys, @Nullable String issuer, @Nullable String audience) {

        /** The URL of the JWK set; {@code null} if the keys are in a file. */
        public @Nullable URI url() {
            return keys.matches("https?://.*") ? URI.create(keys) : null;
        }

        List<String> warnings() {
            List<String> warnings = new ArrayList<>();
            if (audience == null) {
                warnings.add(
                        "jwt-audience is not set: a token that was issued for any other service is accepted here, and"
                                + " that service can use it to act as its caller");
            }
            if (issuer == null) {
                warnings.add("jwt-issuer is not set: callers of different issuers with keys in " + keys
                        + " share their names, and get each other's responses");
            }
            return warnings;
        }
    }

    /** A digest of the Authorization header. */
    record FromCredential(@Nullable DigestKeys keys) implements ScopeRule {

        /** The caller who sends this credential. Without keys, someone who reads the store can guess credentials. */
        public String callerOf(String credential) {
            return "credential:"
                    + (keys == null ? LengthPrefixedDigest.hexSha256(credential) : keys.digest(credential));
        }
    }

    /** All requests come from one trusted caller. */
    record Single() implements ScopeRule {}

    /** The header name's grammar (RFC 9110, token). */
    Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** Reads the value of {@code --scope}. */
    static ScopeRule parse(String text, TrustedProxies proxies, @Nullable JwtTrust trust, @Nullable DigestKeys keys) {
        if (text.equals("single")) {
            return new Single();
        }
        if (text.equals("credential")) {
            return new FromCredential(keys);
        }
        if (text.startsWith("header:")) {
            String name = text.substring("header:".length());
            if (TOKEN.matcher(name).matches()) {
                return new FromHeader(name, proxies);
            }
        }
        if (text.startsWith("jwt:") && text.length() > "jwt:".length()) {
            if (trust == null) {
                throw new IllegalArgumentException(
                        "\"" + text + "\" needs the keys that verify tokens: set --jwt-key FILE");
            }
            return new FromJwt(text.substring("jwt:".length()), trust);
        }
        throw new IllegalArgumentException(
                "expected header:NAME, jwt:CLAIM, credential or single, got \"" + text + "\"");
    }
}
