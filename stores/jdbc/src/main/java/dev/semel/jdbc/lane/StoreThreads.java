package dev.semel.jdbc.lane;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes threads that carry the store's name and do not keep the process alive. */
public final class StoreThreads {

    private StoreThreads() {}

    public static ThreadFactory named(String role) {
        AtomicInteger count = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, "semel-jdbc-" + role + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
