package dev.semel.sealing;

import dev.semel.util.RecentlyUsed;
import dev.semel.util.Threads;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.crypto.SecretKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The data key that this process encrypts with, and those that it has unwrapped to decrypt. */
final class DataKeys {

    private static final Logger LOG = LoggerFactory.getLogger(DataKeys.class);
    private static final long MAX_USES = 1L << 30;
    private static final long MAX_NANOS = Duration.ofHours(12).toNanos();
    private static final int KEPT = 1000;
    private static final int MAX_WRAPPED = Short.MAX_VALUE;

    /** Runs the rare calls to a key management service, which must not block a thread of the store. */
    private static final Executor ASIDE =
            task -> Threads.daemons("semel-data-keys").newThread(task).start();

    /** How long a key management service may take: a call that waits for a key holds up all later ones. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final MasterKeys masterKeys;
    private final Executor aside;
    private final Duration patience;
    private final AtomicBoolean replacing = new AtomicBoolean();
    private volatile DataKey current;

    private final Map<ByteBuffer, CompletableFuture<SecretKey>> unwrapped = RecentlyUsed.upTo(KEPT);

    /** Makes the first key, so that master keys that do not work are found at the start. */
    DataKeys(MasterKeys masterKeys) {
        this(masterKeys, ASIDE, PATIENCE);
    }

    DataKeys(MasterKeys masterKeys, Executor aside, Duration patience) {
        this.masterKeys = masterKeys;
        this.aside = aside;
        this.patience = patience;
        this.current = make();
    }

    /** The key to encrypt with. A worn-out key is used until the next one has been made. */
    DataKey current() {
        DataKey key = current;
        if (key.isWornOut(MAX_USES, MAX_NANOS) && replacing.compareAndSet(false, true)) {
            try {
                aside.execute(this::replace);
            } catch (Throwable e) {
                notReplaced(e);
            }
        }
        return key;
    }

    private void replace() {
        try {
            current = make();
            replacing.set(false);
        } catch (Throwable e) {
            notReplaced(e);
        }
    }

    private void notReplaced(Throwable cause) {
        replacing.set(false);
        LOG.warn("no new data key could be made; the one before stays in use, and the next outcome tries again", cause);
    }

    private DataKey make() {
        DataKey key = DataKey.make(masterKeys);
        if (key.wrapped.length > MAX_WRAPPED) {
            throw new IllegalArgumentException("a wrapped data key must have at most " + MAX_WRAPPED
                    + " bytes, this one has " + key.wrapped.length);
        }
        synchronized (unwrapped) {
            unwrapped.put(ByteBuffer.wrap(key.wrapped), CompletableFuture.completedFuture(key.secret));
        }
        return key;
    }

    /** Unwraps a key. It is requested only once, however many callers want it. */
    CompletableFuture<SecretKey> unwrap(byte[] wrapped) {
        ByteBuffer name = ByteBuffer.wrap(wrapped);
        CompletableFuture<SecretKey> key;
        synchronized (unwrapped) {
            key = unwrapped.get(name);
            if (key != null) {
                return key;
            }
            key = new CompletableFuture<>();
            unwrapped.put(name, key);
        }
        CompletableFuture<SecretKey> asked = key;
        try {
            aside.execute(() -> ask(name, wrapped, asked));
            CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> fail(
                            name,
                            asked,
                            new IllegalStateException("the master keys did not unwrap a data key within " + patience)));
        } catch (Throwable e) {
            fail(name, asked, e);
        }
        return asked;
    }

    private void ask(ByteBuffer name, byte[] wrapped, CompletableFuture<SecretKey> key) {
        try {
            key.complete(DataKey.secret(masterKeys.unwrap(wrapped)));
        } catch (Throwable e) {
            fail(name, key, e);
        }
    }

    /** The next caller that needs the key asks again. */
    private void fail(ByteBuffer name, CompletableFuture<SecretKey> key, Throwable cause) {
        synchronized (unwrapped) {
            if (!key.isDone()) {
                unwrapped.remove(name, key);
            }
        }
        key.completeExceptionally(cause);
    }
}
