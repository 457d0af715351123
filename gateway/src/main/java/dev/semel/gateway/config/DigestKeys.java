package dev.semel.gateway.config;

import dev.semel.gateway.files.SecretFile;
import dev.semel.sealing.KeyFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret keys of digests in the store. A caller's digest, like the hash of a body, is part of keys, so both keep the
 * oldest key of the file: under another one, a retry would be another request, and run again. Fingerprints take the newest.
 */
public final class DigestKeys {

    private static final int KEY_BYTES = 32;
    private static final String HMAC = "HmacSHA256";

    private final byte[] newest;
    private final SecretKeySpec oldest;

    private DigestKeys(byte[] newest, byte[] oldest) {
        this.newest = newest;
        this.oldest = new SecretKeySpec(oldest, HMAC);
    }

    static DigestKeys read(String file) {
        try {
            Map<String, byte[]> named = KeyFile.read(SecretFile.require(Path.of(file)));
            if (named.isEmpty()) {
                throw new IllegalArgumentException(file + " holds no key: expected lines of NAME:BASE64");
            }
            named.forEach((name, key) -> {
                if (key.length != KEY_BYTES) {
                    throw new IllegalArgumentException("the key \"" + name + "\" must have " + KEY_BYTES
                            + " bytes, it has " + key.length + "; make one with: openssl rand -base64 " + KEY_BYTES);
                }
            });
            List<byte[]> keys = List.copyOf(named.values());
            return new DigestKeys(keys.get(0), keys.get(keys.size() - 1));
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be read: " + e, e);
        }
    }

    /** The key that fingerprints are stored under. */
    public byte[] ofFingerprints() {
        return newest.clone();
    }

    /** The secret of body hashes, which are keys: like callers, they keep the oldest key. */
    byte[] ofBodies() {
        return digest("body", "");
    }

    String digest(String credential) {
        return HexFormat.of().formatHex(digest("caller", credential));
    }

    private byte[] digest(String purpose, String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(oldest);
            mac.update((purpose + "\0").getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + HMAC, e);
        }
    }
}
