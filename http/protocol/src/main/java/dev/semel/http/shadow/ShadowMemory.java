package dev.semel.http.shadow;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes of request bodies are held at once, over all requests. */
final class ShadowMemory {

    private final AtomicLong left;

    ShadowMemory(long bytes) {
        this.left = new AtomicLong(bytes);
    }

    boolean tryTake(long bytes) {
        if (left.addAndGet(-bytes) >= 0) {
            return true;
        }
        left.addAndGet(bytes);
        return false;
    }

    void give(long bytes) {
        left.addAndGet(bytes);
    }
}
