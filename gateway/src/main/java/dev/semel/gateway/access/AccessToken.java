package dev.semel.gateway.access;

import dev.semel.util.LengthPrefixedDigest;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * A secret that grants access. Only its digest is kept.
 *
 * @param isProxy whether it belongs to a proxy that names the person of each request in a header
 */
record AccessToken(String name, Set<Role> roles, boolean isProxy, byte[] sha256) {

    static byte[] digest(String token) {
        return LengthPrefixedDigest.newSha256().digest(token.getBytes(StandardCharsets.UTF_8));
    }

    /** Without the digest, which belongs in no log. */
    @Override
    public String toString() {
        return name + " (" + (isProxy ? "proxy" : Role.list(roles)) + ")";
    }
}
