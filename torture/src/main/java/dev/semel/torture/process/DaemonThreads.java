package dev.semel.torture.process;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that do not keep the process alive. */
public final class DaemonThreads {

    private DaemonThreads() {}

    public static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return work -> of(name + "-" + number.incrementAndGet(), work);
    }

    public static Thread of(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
