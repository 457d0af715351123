package dev.semel.http.shadow;

import dev.semel.Fingerprint;
import dev.semel.KeyDigest;
import org.jspecify.annotations.Nullable;

/**
 * A request's key and fingerprint, and whether it would have been refused.
 *
 * @param scope the caller; {@code null} if it is not known
 * @param key the name of its key; {@code null} if it has none that can be used
 * @param fingerprint what it asks for
 * @param refusal why it would have been refused before its key was claimed; {@code null} if it would not
 */
public record ShadowedCall(
        @Nullable String scope,
        @Nullable KeyDigest key,
        Fingerprint fingerprint,
        @Nullable ShadowFinding refusal) {}
