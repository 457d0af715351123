package dev.semel.jdbc;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes threads that carry the store's name and do not keep the process alive. */
final class DaemonThreads {

    private DaemonThreads() {}

    static Thread of(String role, Runnable work) {
        Thread thread = new Thread(work, "semel-jdbc-" + role);
        thread.setDaemon(true);
        return thread;
    }

    static ThreadFactory named(String role) {
        AtomicInteger count = new AtomicInteger();
        return work -> of(role + "-" + count.incrementAndGet(), work);
    }
}
