package dev.semel.attack;

import dev.semel.attack.lab.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The connections of a flood, which are closed all at once. */
final class HeldConnections {

    private static final int STACK_BYTES = 256 << 10;

    private static final long CONNECT_NANOS = 3_000_000_000L;

    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    void start(Target target, int connections, Flood.Stream stream) {
        for (int i = 0; i < connections; i++) {
            Thread thread = new Thread(null, () -> run(target, stream), "flood " + i, STACK_BYTES);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void run(Target target, Flood.Stream stream) {
        try {
            stream.run(target, this);
        } catch (IOException refused) {
            // To be cut off is what a flood has to expect.
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until every part of the flood has a connection, or as long as it is worth waiting. */
    void awaitConnections() throws InterruptedException {
        long end = System.nanoTime() + CONNECT_NANOS;
        while (open.size() < threads.size() && System.nanoTime() < end) {
            Thread.sleep(10);
        }
    }

    boolean isOver() {
        return over;
    }

    /** Keeps a connection open until the flood is over. */
    <T extends AutoCloseable> T keep(T connection) {
        open.add(connection);
        return connection;
    }

    /** Waits until the flood is over. */
    void rest() throws InterruptedException {
        while (!over) {
            Thread.sleep(50);
        }
    }

    void stop() throws InterruptedException {
        over = true;
        for (Thread thread : threads) {
            thread.interrupt();
        }
        for (AutoCloseable each : open) {
            close(each);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (AutoCloseable each : open) {
            close(each);
        }
    }

    private static void close(AutoCloseable connection) {
        try {
            connection.close();
        } catch (IOException e) {
            // Closed already, by the other side.
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
