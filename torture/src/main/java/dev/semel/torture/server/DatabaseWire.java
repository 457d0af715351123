package dev.semel.torture.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What stands between one node and PostgreSQL. It understands enough of the protocol to swallow the acknowledgement of a
 * certain statement, and it can be cut, frozen and slowed.
 */
public final class DatabaseWire implements AutoCloseable {

    /** What statements that claim keys contain, and stands for all of them. */
    public static final String CLAIM = "_claim";

    /** An order to lose the next acknowledgement of a statement that contains the word. */
    private record Loss(String word, boolean silently, CountDownLatch done) {}

    /** An order to act when a statement that contains the word has just been sent. */
    private record Trigger(String word, Runnable action) {}

    private final ServerSocket listening = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
    private final Set<WireLink> links = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Loss> loss = new AtomicReference<>();
    private final AtomicReference<@Nullable Trigger> trigger = new AtomicReference<>();
    private volatile int serverPort;
    private final AtomicInteger depositions = new AtomicInteger();
    private volatile boolean deposed;
    private volatile long deposedAt = System.nanoTime();
    private volatile long cutUntil = System.nanoTime();
    private volatile long frozenUntil = System.nanoTime();
    private volatile long slowUntil = System.nanoTime();

    public DatabaseWire(int serverPort) throws IOException {
        this.serverPort = serverPort;
        DaemonThreads.of("wire", this::accept).start();
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Leads to another server from now on; what is connected to the old one is cut off. */
    public void lead(int port) {
        serverPort = port;
        closeLinks();
        deposed = false;
    }

    /** Notes that the server at the other end has been replaced, which the node does not know. */
    public void deposed() {
        deposedAt = System.nanoTime();
        deposed = true;
        depositions.incrementAndGet();
    }

    /** When that was, the last time. */
    public long deposedAt() {
        return deposedAt;
    }

    public boolean isDeposed() {
        return deposed;
    }

    /** How often the server at the other end has been replaced without the node's knowledge. */
    public int depositions() {
        return depositions.get();
    }

    /**
     * Loses the acknowledgement of the next statement that contains the word and was not refused: the connection breaks,
     * or stays and says nothing any more. Returns whether there was one in time.
     */
    public boolean loseAcknowledgement(String word, boolean silently, Duration limit) throws InterruptedException {
        Loss order = new Loss(word, silently, new CountDownLatch(1));
        loss.set(order);
        boolean lost = order.done.await(limit.toMillis(), TimeUnit.MILLISECONDS);
        return !loss.compareAndSet(order, null) || lost;
    }

    public void whenSent(String word, Runnable action) {
        trigger.set(new Trigger(word, action));
    }

    public void cut(Duration time) {
        cutUntil = System.nanoTime() + time.toNanos();
        closeLinks();
    }

    public void freeze(Duration time) {
        frozenUntil = System.nanoTime() + time.toNanos();
    }

    public void slow(Duration time) {
        slowUntil = System.nanoTime() + time.toNanos();
    }

    public void heal() {
        long now = System.nanoTime();
        cutUntil = now;
        frozenUntil = now;
        slowUntil = now;
        loss.set(null);
        trigger.set(null);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                if (System.nanoTime() < cutUntil) {
                    client.close();
                } else {
                    connect(client);
                }
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    throw new IllegalStateException("the wire broke for good", e);
                }
            }
        }
    }

    private void connect(Socket client) throws IOException {
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            WireLink link = new WireLink(this, client, server);
            links.add(link);
            link.start();
        } catch (IOException e) {
            // No server there: the client sees what it would see without a wire.
            client.close();
        }
    }

    /** Waits as long as the wire is frozen, and a little while it is slow. */
    void hold() {
        for (long now = System.nanoTime(); now < frozenUntil; now = System.nanoTime()) {
            LockSupport.parkNanos(Math.min(frozenUntil - now, TimeUnit.MILLISECONDS.toNanos(20)));
        }
        if (System.nanoTime() < slowUntil) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(40));
        }
    }

    void sent(String sql) {
        Trigger order = trigger.get();
        if (order != null && matches(sql, order.word) && trigger.compareAndSet(order, null)) {
            order.action.run();
        }
    }

    /** A single new key is claimed without a function, by an insert that draws a token. */
    private static boolean matches(String sql, String word) {
        return sql.contains(word) || (word.equals(CLAIM) && sql.contains("nextval("));
    }

    /** Whether the acknowledgement of this statement is to be lost, and if so whether silently. */
    WireLink.Loss lossOf(String sql) {
        Loss order = loss.get();
        if (order == null || !matches(sql, order.word) || !loss.compareAndSet(order, null)) {
            return WireLink.Loss.NONE;
        }
        order.done.countDown();
        return order.silently ? WireLink.Loss.SILENCE : WireLink.Loss.CLOSE;
    }

    void ended(WireLink link) {
        links.remove(link);
    }

    private void closeLinks() {
        links.forEach(WireLink::close);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        closeLinks();
    }
}
