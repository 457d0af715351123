package dev.semel.testkit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Holds one call of a store until a test lets it go. */
public final class Gate {

    private static final int LIMIT_SECONDS = 60;

    private final CompletableFuture<Void> arrived = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    Gate() {}

    /** Waits until the call has reached this gate. */
    public void awaitArrival() {
        arrived.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }

    public boolean hasArrived() {
        return arrived.isDone();
    }

    /** Lets the call go on, even if it has not arrived yet. */
    public void release() {
        released.complete(null);
    }

    CompletableFuture<Void> arrive() {
        arrived.complete(null);
        return released;
    }
}
