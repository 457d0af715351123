package dev.semel.util;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.function.Consumer;
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

    private final Consumer<byte[]> update;
    private final Supplier<byte[]> finish;

    private LengthPrefixedDigest(Consumer<byte[]> update, Supplier<byte[]> finish) {
        this.update = update;
        this.finish = finish;
    }

    public static LengthPrefixedDigest sha256() {
        MessageDigest digest = newSha256();
        return new LengthPrefixedDigest(digest::update, digest::digest);
    }

    /**
     * A digest over bytes as they are, without lengths. Looking a new one up takes longer than most digests, so one that is never
     * used is copied if it can be.
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
        update.accept(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
        update.accept(part);
        return this;
    }

    public byte[] bytes() {
        return finish.get();
    }

    public String base64Url() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes());
    }
}
