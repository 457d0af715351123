package dev.semel.sealing;

/**
 * The keys that protect data keys, for example those of a key management service. A data key encrypts many outcomes and
 * is stored beside each of them, wrapped. Both methods may take their time: they are called once for each data key, and
 * never for a request that can be answered without it. An {@link #unwrap} that takes longer than 30 seconds counts
 * as failed, and is called again when the data key is needed again.
 *
 * <p>To rotate, wrap with a new master key and keep unwrapping with the old ones for as long as outcomes are kept.
 */
public interface MasterKeys {

    /** Encrypts a data key so that {@link #unwrap} finds out by itself which master key to use. */
    byte[] wrap(byte[] dataKey);

    /**
     * Decrypts a data key.
     *
     * @throws IllegalArgumentException if its master key is not available, or the bytes have been changed
     */
    byte[] unwrap(byte[] wrapped);
}
