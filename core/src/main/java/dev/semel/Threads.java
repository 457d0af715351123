package dev.semel;

import java.util.concurrent.ThreadFactory;

/** Threads of the engine: named, and never in the way of a process that wants to end. */
final class Threads {

    private Threads() {}

    static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
