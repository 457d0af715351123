package dev.semel.http.spool;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that spools may take together before they go to files. */
final class SpoolMemory {

    /** What all spools of this process share: an eighth of the heap. */
    static final SpoolMemory OF_PROCESS = new SpoolMemory(Runtime.getRuntime().maxMemory() / 8);

    /** For spools whose owner bounds their memory itself. */
    static final SpoolMemory UNBOUNDED = new SpoolMemory(Long.MAX_VALUE);

    private final long limit;
    private final AtomicLong used = new AtomicLong();

    SpoolMemory(long limit) {
        this.limit = limit;
    }

    boolean tryTake(long bytes) {
        if (used.addAndGet(bytes) <= limit) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    boolean has(long bytes) {
        return used.get() + bytes <= limit;
    }

    void give(long bytes) {
        used.addAndGet(-bytes);
    }

    long used() {
        return used.get();
    }
}
