package dev.semel.util;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A digest over parts, each preceded by its length, so that no two lists of parts give the same input.
 *
 * <p>Joining with a delimiter would make {@code ["a:b", "c"]} and {@code ["a", "b:c"]} the same.
 */
public final class LengthPrefixedDigest {

    private static final MessageDigest SHA256 = sha256OfThePlatform();

    /** Holds small parts back: one update of all of them takes less time than many. */
    private static final int BUFFER = 256;

    /** Parts that are shorter together are joined before they are digested. */
    private static final int JOINED = 1024;

    /**
     * Reused by {@link #sha256Of}, because creating one takes longer than most digests. A platform class, so that a
     * container's thread does not keep a reference to the application.
     */
    private static final ThreadLocal<MessageDigest> OF_THREAD =
            ThreadLocal.withInitial(LengthPrefixedDigest::newSha256);

    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    private final Update update;
    private final Supplier<byte[]> finish;

    private interface Update {
        void accept(byte[] bytes, int offset, int length);
    }

    private LengthPrefixedDigest(Update update, Supplier<byte[]> finish) {
        this.update = update;
        this.finish = finish;
    }

    public static LengthPrefixedDigest sha256() {
        MessageDigest digest = newSha256();
        return new LengthPrefixedDigest(digest::update, digest::digest);
    }

    /** The digest of these parts, as {@link #sha256} makes it of parts that are added one by one. */
    public static byte[] sha256Of(byte[]... parts) {
        MessageDigest digest = OF_THREAD.get();
        // One that failed may have left something behind.
        digest.reset();
        long length = 0;
        for (byte[] part : parts) {
            length += Integer.BYTES + part.length;
        }
        if (length <= JOINED) {
            ByteBuffer all = ByteBuffer.allocate((int) length);
            for (byte[] part : parts) {
                all.putInt(part.length).put(part);
            }
            return digest.digest(all.array());
        }
        for (byte[] part : parts) {
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.length));
            digest.update(part);
        }
        return digest.digest();
    }

    /** The digits of the digest of a text as it is, without its length. */
    public static String hexSha256(String text) {
        return HexFormat.of().formatHex(newSha256().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * A digest over bytes as they are, without lengths. Looking up a new one takes longer than most digests, so an
     * unused one is cloned if possible.
     */
    public static MessageDigest newSha256() {
        try {
            return (MessageDigest) SHA256.clone();
        } catch (CloneNotSupportedException e) {
            return sha256OfThePlatform();
        }
    }

    private static MessageDigest sha256OfThePlatform() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    public static LengthPrefixedDigest hmacSha256(byte[] secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return new LengthPrefixedDigest(mac::update, mac::doFinal);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    public LengthPrefixedDigest add(String part) {
        return add(part.getBytes(StandardCharsets.UTF_8));
    }

    public LengthPrefixedDigest add(byte[] part) {
        if (buffer.remaining() < Integer.BYTES) {
            drain();
        }
        buffer.putInt(part.length);
        if (buffer.remaining() >= part.length) {
            buffer.put(part);
        } else {
            drain();
            update.accept(part, 0, part.length);
        }
        return this;
    }

    private void drain() {
        update.accept(buffer.array(), 0, buffer.position());
        buffer.clear();
    }

    public byte[] bytes() {
        drain();
        return finish.get();
    }

    public String base64Url() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes());
    }
}
