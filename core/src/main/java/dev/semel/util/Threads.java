package dev.semel.util;

import java.util.concurrent.ThreadFactory;

/** Threads that are named and never keep a process alive, and waits that an interruption does not end. */
public final class Threads {

    private Threads() {}

    /** Something that waits. */
    @FunctionalInterface
    public interface Wait {

        void end() throws InterruptedException;
    }

    /** Waits until the end. If the thread is interrupted meanwhile, it is still marked as interrupted afterwards. */
    public static void awaitUninterrupted(Wait wait) {
        boolean interrupted = false;
        boolean ended = false;
        while (!ended) {
            try {
                wait.end();
                ended = true;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    public static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
