package dev.semel.torture.wire;

import dev.semel.torture.process.DaemonThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The connection between one node and its database. It can swallow the acknowledgement of a certain statement, and be cut,
 * frozen and slowed.
 */
public final class DatabaseWire implements AutoCloseable {

    /** What statements that claim keys contain, and stands for all of them. */
    public static final String CLAIM = "_claim";

    /** An order to lose the next acknowledgement of a statement that contains the word. */
    private record Loss(String word, boolean silently, CountDownLatch done) {}

    /** An order to hold back the next statement that contains the word. */
    private record Delay(String word, Duration time, CountDownLatch done) {}

    /** An order to act when a statement that contains the word has just been sent. */
    private record Trigger(String word, Runnable action) {}

    /** Where the node connects to one of the servers. */
    private record End(ServerSocket listening, AtomicInteger serverPort) {}

    private final List<End> ends = new ArrayList<>();
    private final Set<WireLink> links = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Loss> loss = new AtomicReference<>();
    private final AtomicReference<@Nullable Delay> delay = new AtomicReference<>();
    private final AtomicReference<@Nullable Trigger> trigger = new AtomicReference<>();
    private final WireProtocol protocol;
    private final AtomicInteger depositions = new AtomicInteger();
    private volatile boolean deposed;
    private volatile long deposedAt = System.nanoTime();
    private volatile long cutUntil = System.nanoTime();
    private volatile long frozenUntil = System.nanoTime();
    private volatile long slowUntil = System.nanoTime();
    private volatile long throttledUntil = System.nanoTime();

    private DatabaseWire(List<Integer> serverPorts, WireProtocol protocol) throws IOException {
        this.protocol = protocol;
        for (int port : serverPorts) {
            End end = new End(new ServerSocket(0, 128, InetAddress.getLoopbackAddress()), new AtomicInteger(port));
            ends.add(end);
            DaemonThreads.of("wire", () -> accept(end)).start();
        }
    }

    /** A wire to each of these servers; {@code null} if there is none. */
    public static @Nullable DatabaseWire to(List<Integer> serverPorts, WireProtocol protocol) throws IOException {
        return serverPorts.isEmpty() ? null : new DatabaseWire(serverPorts, protocol);
    }

    public List<Integer> ports() {
        return ends.stream().map(end -> end.listening.getLocalPort()).toList();
    }

    /** Leads to another server from now on, all of it; what is connected to the old one is cut off. */
    public void lead(int port) {
        ends.forEach(end -> end.serverPort.set(port));
        closeLinks();
        deposed = false;
    }

    /** Notes that the server at the other end has been replaced, which the node does not know. */
    public void deposed() {
        deposedAt = System.nanoTime();
        deposed = true;
        depositions.incrementAndGet();
    }

    /** Notes that no server is left that believes to lead and does not. */
    public void reinstated() {
        deposed = false;
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

    /** Holds back the next statement that contains the word. Returns whether there was one in time. */
    public boolean delay(String word, Duration time, Duration limit) throws InterruptedException {
        Delay order = new Delay(word, time, new CountDownLatch(1));
        delay.set(order);
        boolean met = order.done.await(limit.toMillis(), TimeUnit.MILLISECONDS);
        if (delay.compareAndSet(order, null) && !met) {
            return false;
        }
        TimeUnit.MILLISECONDS.sleep(time.toMillis());
        return true;
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

    /** Refuses every other request for a while, as a server that is asked for too much. */
    public void throttle(Duration time) {
        throttledUntil = System.nanoTime() + time.toNanos();
    }

    boolean throttles() {
        return System.nanoTime() < throttledUntil && ThreadLocalRandom.current().nextBoolean();
    }

    public void heal() {
        long now = System.nanoTime();
        throttledUntil = now;
        cutUntil = now;
        frozenUntil = now;
        slowUntil = now;
        loss.set(null);
        delay.set(null);
        trigger.set(null);
    }

    private void accept(End end) {
        while (!end.listening.isClosed()) {
            try {
                Socket client = end.listening.accept();
                if (System.nanoTime() < cutUntil) {
                    client.close();
                } else {
                    connect(client, end.serverPort.get());
                }
            } catch (IOException e) {
                if (!end.listening.isClosed()) {
                    throw new IllegalStateException("the wire broke for good", e);
                }
            }
        }
    }

    private void connect(Socket client, int serverPort) throws IOException {
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            WireLink link = protocol.connect(this, client, server);
            links.add(link);
            link.start();
        } catch (IOException e) {
            // No server there: the client sees what it would see without a wire.
            client.close();
        }
    }

    /** Before a statement is sent: waits if it is the one to be held back, or if all are. */
    void holdBack(String sql) {
        Delay order = delay.get();
        if (order != null && matches(sql, order.word) && delay.compareAndSet(order, null)) {
            order.done.countDown();
            LockSupport.parkNanos(order.time.toNanos());
        }
        hold();
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
        for (End end : ends) {
            end.listening.close();
        }
        closeLinks();
    }
}
