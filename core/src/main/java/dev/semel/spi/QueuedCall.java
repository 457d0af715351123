package dev.semel.spi;

import dev.semel.store.StoreUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A call that waits in a store's queue. Until it is sent, its caller can withdraw it by {@link #cancel}: then it
 * certainly takes no effect, and completes with a {@link StoreUnavailableException} that says so.
 */
public class QueuedCall<T> extends CompletableFuture<T> {

    private final AtomicBoolean decided = new AtomicBoolean();

    /** A call that has not been sent. */
    public QueuedCall() {}

    /** Called by the store just before it sends the call; {@code false} if the caller no longer waits for it. */
    public final boolean send() {
        return decided.compareAndSet(false, true) && !isDone();
    }

    /** Withdraws the call if it has not been sent; otherwise it completes as cancelled and may still take effect. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (decided.compareAndSet(false, true)) {
            return completeExceptionally(
                    StoreUnavailableException.notSent("the call was given up before the store had sent it"));
        }
        return super.cancel(mayInterruptIfRunning);
    }
}
