package dev.semel.http.replay;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.KeyDigest;
import dev.semel.Namespace;
import dev.semel.spi.KeyRecord;
import dev.semel.util.LengthPrefixedDigest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * How the path of the status resource names a request: by the digest of its key, and by its fingerprint and the key's
 * value in a form that only makes sense for the caller whose key it is. So no reference leads to another caller's record, and
 * no key appears in a log.
 *
 * @param request what the request asked for, shortened: enough to notice that the key has gone to another request, too little
 *     to guess a request from
 */
record StatusReference(Key key, Fingerprint request) {

    private static final char SEPARATOR = '.';

    /** The operation, version and rules of a fingerprint, and three bytes of its digest. */
    private static final int SHORTENED = 12;

    static String of(Key key, Fingerprint request) {
        byte[] value = key.value().getBytes(StandardCharsets.UTF_8);
        byte[] plain = ByteBuffer.allocate(SHORTENED + value.length)
                .put(request.bytes(), 0, SHORTENED)
                .put(value)
                .array();
        return key.digest().toString()
                + SEPARATOR
                + Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(masked(plain, key.namespace(), key.scope(), key.digest()));
    }

    /** What a reference names, if it was made for this caller; {@code null} if it was not. */
    static @Nullable StatusReference read(String reference, Namespace namespace, String scope) {
        int separator = reference.indexOf(SEPARATOR);
        if (separator < 0) {
            return null;
        }
        try {
            KeyDigest digest = KeyDigest.parse(reference.substring(0, separator));
            byte[] masked = Base64.getUrlDecoder().decode(reference.substring(separator + 1));
            byte[] plain = masked(masked, namespace, scope, digest);
            if (plain.length < SHORTENED) {
                return null;
            }
            String value = new String(plain, SHORTENED, plain.length - SHORTENED, StandardCharsets.UTF_8);
            Key key = namespace.key(scope, value);
            return key.digest().equals(digest) ? new StatusReference(key, shortened(plain)) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static Fingerprint shortened(byte[] fingerprint) {
        return Fingerprint.fromBytes(Arrays.copyOf(Arrays.copyOf(fingerprint, SHORTENED), Fingerprint.LENGTH));
    }

    /** Whether the record may be that of the request, and not of a later one that has got the same key. */
    boolean isOf(KeyRecord record) {
        return record.key().equals(key)
                && request.matches(shortened(record.fingerprint().bytes()));
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
