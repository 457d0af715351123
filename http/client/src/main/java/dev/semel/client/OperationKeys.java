package dev.semel.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.UUID;

/** Creates keys for operations. Use one key for each logical operation, and the same key for all its attempts. */
public final class OperationKeys {

    static final int MAX_LENGTH = 255;

    private OperationKeys() {}

    /** A random key. */
    public static String random() {
        return UUID.randomUUID().toString();
    }

    /**
     * A key that is derived from the parts that identify the operation, for example {@code derived("refund", orderId,
     * "2")}: the same parts give the same key in every process. If two operations must both happen, they need different
     * parts.
     */
    public static String derived(String... parts) {
        if (parts.length == 0) {
            throw new IllegalArgumentException("a derived key needs at least one part, for example the order's number");
        }
        MessageDigest digest = sha256();
        for (String part : parts) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            // With its length before each part, ("a", "bc") and ("ab", "c") differ.
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            digest.update(bytes);
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest());
    }

    static String valid(String key) {
        if (key.isEmpty() || key.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "a key has 1 to " + MAX_LENGTH + " characters, this one has " + key.length());
        }
        for (int i = 0; i < key.length(); i++) {
            if (key.charAt(i) < 0x20 || key.charAt(i) > 0x7e) {
                throw new IllegalArgumentException(
                        "a key consists of printable ASCII, got \"" + key + "\" with another character at " + i);
            }
        }
        return key;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
