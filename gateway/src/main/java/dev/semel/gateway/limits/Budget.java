package dev.semel.gateway.limits;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that bodies of protected requests and responses may take, over all event loops. */
public final class Budget {

    private final long limit;
    private final AtomicLong used = new AtomicLong();

    public Budget(long limit) {
        this.limit = limit;
    }

    /** Takes the bytes if there is room for them. */
    public boolean tryTake(long bytes) {
        if (used.addAndGet(bytes) <= limit) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    /** Takes the bytes in any case: what an operation has answered must not be lost for want of room. */
    public void take(long bytes) {
        used.addAndGet(bytes);
    }

    public void give(long bytes) {
        used.addAndGet(-bytes);
    }

    public long used() {
        return used.get();
    }
}
