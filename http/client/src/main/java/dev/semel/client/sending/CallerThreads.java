package dev.semel.client.sending;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads on which callers get results. Their callbacks may block for any time, because no retry, time limit or
 * journal needs these threads.
 */
public final class CallerThreads {

    public static final Executor EXECUTOR =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "semel-client");
                thread.setDaemon(true);
                return thread;
            });

    private CallerThreads() {}
}
