package dev.semel.redis;

import dev.semel.store.StoreException;

/**
 * Redis has lost acknowledged writes, so a claim could run an operation a second time. Claims are refused until an
 * operator acknowledges the loss with {@link RedisKeyStore#acknowledgeLoss}.
 */
public final class MemoryLostException extends StoreException {

    private static final long serialVersionUID = 1L;

    MemoryLostException(String message) {
        super(message, null);
    }
}
