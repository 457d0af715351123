package dev.semel.sealing;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** A key of this process for many outcomes, and its wrapped form that is stored beside each of them. */
final class DataKey {

    private static final int BYTES = 32;

    final SecretKey secret;
    final byte[] wrapped;
    private final long madeAt = System.nanoTime();
    private final AtomicLong uses = new AtomicLong();

    private DataKey(SecretKey secret, byte[] wrapped) {
        this.secret = secret;
        this.wrapped = wrapped;
    }

    static DataKey make(MasterKeys masterKeys) {
        byte[] bytes = AesGcm.random(BYTES);
        return new DataKey(secret(bytes), masterKeys.wrap(bytes));
    }

    static SecretKey secret(byte[] bytes) {
        return new SecretKeySpec(bytes, "AES");
    }

    /** The next nonce, never the same one twice. No other process encrypts with this key, so a counter is enough. */
    byte[] nextNonce() {
        return ByteBuffer.allocate(AesGcm.NONCE_BYTES)
                .putInt(0)
                .putLong(uses.incrementAndGet())
                .array();
    }

    boolean isWornOut(long maxUses, long maxNanos) {
        return uses.get() >= maxUses || System.nanoTime() - madeAt >= maxNanos;
    }
}
