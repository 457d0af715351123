package dev.semel.sealing;

import dev.semel.KeyDigest;
import dev.semel.policy.Policy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * Turns bytes into sealed bytes and back: a mark, how they were sealed, their length, the wrapped data key and the nonce
 * if they are encrypted, and the content. What is encrypted belongs to one key and one purpose, and cannot be opened as
 * anything else.
 */
final class Seal {

    private static final byte[] MARK = {(byte) 0x93, 'S', 'e', 'm', 'e', 'l', 0x1a, 1};
    private static final int DEFLATED = 1;
    private static final int ENCRYPTED = 2;
    private static final int HEAD = MARK.length + 1 + Integer.BYTES;

    /** The largest payload, and room for headers: more than that is not inflated, whatever the length says. */
    private static final int MAX_LENGTH = Policy.MAX_MAX_PAYLOAD + (1 << 20);

    private static final String NOT_ENCRYPTED = "it is not encrypted, which a strict store refuses: it was"
            + " written without the keys, or before encryption was switched on";

    private final boolean compresses;
    private final @Nullable DataKeys dataKeys;
    private final boolean strict;

    Seal(boolean compresses, @Nullable DataKeys dataKeys) {
        this(compresses, dataKeys, false);
    }

    /** @param strict whether only encrypted data is opened */
    Seal(boolean compresses, @Nullable DataKeys dataKeys, boolean strict) {
        this.compresses = compresses;
        this.dataKeys = dataKeys;
        this.strict = strict;
    }

    /** Whether these bytes are to be opened. Of a strict seal all are, and opening fails if they are not encrypted. */
    boolean applies(byte @Nullable [] bytes) {
        return strict || (bytes != null && isSealed(bytes));
    }

    private static boolean isSealed(byte[] bytes) {
        return bytes.length >= HEAD && Arrays.equals(bytes, 0, MARK.length, MARK, 0, MARK.length);
    }

    byte[] seal(KeyDigest digest, String purpose, byte[] plain) {
        byte[] deflated = compresses ? Deflation.deflate(plain) : null;
        byte[] content = deflated == null ? plain : deflated;
        int how = deflated == null ? 0 : DEFLATED;
        if (dataKeys == null) {
            return head(how, plain.length, content.length).put(content).array();
        }
        DataKey key = dataKeys.current();
        byte[] nonce = key.nextNonce();
        byte[] encrypted =
                AesGcm.encrypt(key.secret, nonce, context(digest, purpose, how | ENCRYPTED, plain.length), content);
        return head(how | ENCRYPTED, plain.length, Short.BYTES + key.wrapped.length + nonce.length + encrypted.length)
                .putShort((short) key.wrapped.length)
                .put(key.wrapped)
                .put(nonce)
                .put(encrypted)
                .array();
    }

    private static ByteBuffer head(int how, int length, int rest) {
        return ByteBuffer.allocate(HEAD + rest).put(MARK).put((byte) how).putInt(length);
    }

    /** Fails with an {@link IllegalArgumentException} if the bytes cannot be opened here. */
    CompletableFuture<byte[]> open(KeyDigest digest, String purpose, byte @Nullable [] sealed) {
        try {
            if (sealed == null || !isSealed(sealed)) {
                throw new IllegalArgumentException(NOT_ENCRYPTED);
            }
            ByteBuffer in = ByteBuffer.wrap(sealed, MARK.length, sealed.length - MARK.length);
            int how = in.get();
            int length = in.getInt();
            if (length < 0 || length > MAX_LENGTH) {
                throw new IllegalArgumentException("sealed bytes cannot have a length of " + length);
            }
            if ((how & ENCRYPTED) == 0) {
                if (strict) {
                    throw new IllegalArgumentException(NOT_ENCRYPTED);
                }
                return CompletableFuture.completedFuture(unpack(how, length, AesGcm.take(in, in.remaining())));
            }
            byte[] wrapped = AesGcm.take(in, in.remaining() < Short.BYTES ? -1 : in.getShort());
            byte[] nonce = AesGcm.take(in, AesGcm.NONCE_BYTES);
            byte[] encrypted = AesGcm.take(in, in.remaining());
            return keys().unwrap(wrapped)
                    .thenApply(
                            key -> unpack(how, length, decrypt(key, nonce, digest, purpose, how, length, encrypted)));
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static byte[] decrypt(
            SecretKey key, byte[] nonce, KeyDigest digest, String purpose, int how, int length, byte[] encrypted) {
        return AesGcm.decrypt(key, nonce, context(digest, purpose, how, length), encrypted);
    }

    private DataKeys keys() {
        if (dataKeys == null) {
            throw new IllegalArgumentException("it is encrypted, and no master keys were given");
        }
        return dataKeys;
    }

    private static byte[] unpack(int how, int length, byte[] content) {
        if ((how & DEFLATED) != 0) {
            return Deflation.inflate(content, length);
        }
        if (content.length != length) {
            throw new IllegalArgumentException(
                    "sealed bytes should hold " + length + " bytes, and hold " + content.length);
        }
        return content;
    }

    private static byte[] context(KeyDigest digest, String purpose, int how, int length) {
        byte[] what = purpose.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 * Long.BYTES + 1 + Integer.BYTES + what.length)
                .putLong(digest.high())
                .putLong(digest.low())
                .put((byte) how)
                .putInt(length)
                .put(what)
                .array();
    }
}
