package dev.semel.http.replay;

import dev.semel.Key;
import dev.semel.KeyDigest;
import dev.semel.Namespace;
import dev.semel.util.LengthPrefixedDigest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * How the path of the status resource names a key: by its digest, and by its value in a form that only makes sense for the
 * caller whose key it is. So no reference leads to another caller's record, and no key appears in a log.
 */
final class StatusReference {

    private static final char SEPARATOR = '.';

    private StatusReference() {}

    static String of(Key key) {
        byte[] masked =
                masked(key.value().getBytes(StandardCharsets.UTF_8), key.namespace(), key.scope(), key.digest());
        return key.digest().toString()
                + SEPARATOR
                + Base64.getUrlEncoder().withoutPadding().encodeToString(masked);
    }

    /** The key that a reference names, if it was made for this caller; {@code null} if it was not. */
    static @Nullable Key read(String reference, Namespace namespace, String scope) {
        int separator = reference.indexOf(SEPARATOR);
        if (separator < 0) {
            return null;
        }
        try {
            KeyDigest digest = KeyDigest.parse(reference.substring(0, separator));
            byte[] masked = Base64.getUrlDecoder().decode(reference.substring(separator + 1));
            String value = new String(masked(masked, namespace, scope, digest), StandardCharsets.UTF_8);
            Key key = namespace.key(scope, value);
            return key.digest().equals(digest) ? key : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Masks, or unmasks. */
    private static byte[] masked(byte[] bytes, Namespace namespace, String scope, KeyDigest digest) {
        byte[] result = new byte[bytes.length];
        byte[] mask = {};
        for (int i = 0; i < bytes.length; i++) {
            int at = mask.length == 0 ? 0 : i % mask.length;
            if (at == 0) {
                mask = LengthPrefixedDigest.sha256()
                        .add("semel.status.v1")
                        .add(namespace.toString())
                        .add(scope)
                        .add(digest.toString())
                        .add(ByteBuffer.allocate(Integer.BYTES).putInt(i).array())
                        .bytes();
            }
            result[i] = (byte) (bytes[i] ^ mask[at]);
        }
        return result;
    }
}
