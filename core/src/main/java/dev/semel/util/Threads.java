package dev.semel.util;

import java.util.concurrent.ThreadFactory;

/** Threads of the engine: named, and never in the way of a process that wants to end. */
public final class Threads {

    private Threads() {}

    public static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
