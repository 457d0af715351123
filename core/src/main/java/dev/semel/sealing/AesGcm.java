package dev.semel.sealing;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/** Authenticated encryption with AES in Galois/Counter Mode. */
final class AesGcm {

    static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Looking up a cipher takes longer than encrypting a small response. Every use sets its own key and nonce. */
    private static final ThreadLocal<Cipher> CIPHER = ThreadLocal.withInitial(AesGcm::newCipher);

    private AesGcm() {}

    static byte[] random(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    static byte[] randomNonce() {
        return random(NONCE_BYTES);
    }

    /** {@code context} is not encrypted, but the same must be given to decrypt. */
    static byte[] encrypt(SecretKey key, byte[] nonce, byte[] context, byte[] plain) {
        try {
            return cipher(Cipher.ENCRYPT_MODE, key, nonce, context).doFinal(plain);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot encrypt with AES-GCM", e);
        }
    }

    static byte[] decrypt(SecretKey key, byte[] nonce, byte[] context, byte[] encrypted) {
        try {
            return cipher(Cipher.DECRYPT_MODE, key, nonce, context).doFinal(encrypted);
        } catch (AEADBadTagException e) {
            throw new IllegalArgumentException(
                    "encrypted bytes were changed, moved from another key's record, or"
                            + " encrypted with a different key of the same name",
                    e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("encrypted bytes cannot be read", e);
        }
    }

    private static Cipher cipher(int mode, SecretKey key, byte[] nonce, byte[] context)
            throws GeneralSecurityException {
        Cipher cipher = CIPHER.get();
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(context);
        return cipher;
    }

    private static Cipher newCipher() {
        try {
            return Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot encrypt with AES-GCM", e);
        }
    }

    /** The next bytes of stored data, which may have been cut. */
    static byte[] take(ByteBuffer in, int length) {
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException("stored bytes end too early");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
