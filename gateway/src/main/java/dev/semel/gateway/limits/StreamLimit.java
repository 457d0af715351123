package dev.semel.gateway.limits;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** How many event streams and tunnels may be open, over all event loops, and for how long each. */
public final class StreamLimit {

    private final int most;
    private final Duration age;
    private final AtomicInteger open = new AtomicInteger();

    public StreamLimit(int most, Duration age) {
        this.most = most;
        this.age = age;
    }

    /** Whether there is room for one more, which then counts until {@link #closed} is called. */
    public boolean tryOpen() {
        if (open.incrementAndGet() <= most) {
            return true;
        }
        open.decrementAndGet();
        return false;
    }

    public void closed() {
        open.decrementAndGet();
    }

    /** How long a stream may last. */
    public Duration age() {
        return age;
    }
}
