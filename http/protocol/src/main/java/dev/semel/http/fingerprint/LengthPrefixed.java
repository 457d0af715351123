package dev.semel.http.fingerprint;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A digest over parts, each preceded by its length, so that no two lists of parts give the same input. */
public final class LengthPrefixed {

    private static final MessageDigest SHA256 = sha256OfThePlatform();

    private final Consumer<byte[]> update;
    private final Supplier<byte[]> finish;

    private LengthPrefixed(Consumer<byte[]> update, Supplier<byte[]> finish) {
        this.update = update;
        this.finish = finish;
    }

    public static LengthPrefixed sha256() {
        MessageDigest digest = newSha256();
        return new LengthPrefixed(digest::update, digest::digest);
    }

    public static LengthPrefixed hmacSha256(byte[] secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return new LengthPrefixed(mac::update, mac::doFinal);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    /** Looking a new one up takes longer than most digests, so one that is never used is copied if it can be. */
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

    public LengthPrefixed add(String part) {
        return add(part.getBytes(StandardCharsets.UTF_8));
    }

    public LengthPrefixed add(byte[] part) {
        update.accept(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
        update.accept(part);
        return this;
    }

    public byte[] bytes() {
        return finish.get();
    }
}
