package dev.semel.attack.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The service behind the gateway: it notes every request that reaches it, and counts the runs of each key. */
public final class CountingUpstream implements AutoCloseable {

    /** Requests of the well-behaved caller, of which there are thousands, are counted but not noted. */
    public static final String WELL = "/charges/well";

    private static final int BACKLOG = 1024;
    private static final int STACK_BYTES = 256 << 10;

    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool(CountingUpstream::thread);
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<SeenRequest> seen = new CopyOnWriteArrayList<>();
    private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
    private volatile boolean noting = true;

    /** Listens on this port of the loopback; 0 for any. */
    public CountingUpstream(int port) throws IOException {
        server = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(null, task, "upstream", STACK_BYTES);
        thread.setDaemon(true);
        return thread;
    }

    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                threads.execute(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            new UpstreamConnection(this, socket).serve();
        } catch (IOException gone) {
            // The gateway, or the end of an attack, has closed the connection.
        } finally {
            open.remove(socket);
        }
    }

    /** Notes a request, and gives the number of runs of its key so far. */
    int note(SeenRequest request) {
        if (noting && !request.target().contains(WELL)) {
            seen.add(request);
        }
        List<String> key = request.values("Idempotency-Key");
        return key.isEmpty()
                ? 0
                : runs.computeIfAbsent(
                                request.values("Authorization") + key.get(0).replace("\"", ""),
                                first -> new AtomicInteger())
                        .incrementAndGet();
    }

    /** Forgets what it has noted, so that what follows is one attack's. */
    public void forget() {
        seen.clear();
        runs.clear();
    }

    /** During a flood only runs are counted. */
    public void noting(boolean on) {
        noting = on;
    }

    public List<SeenRequest> seen() {
        return List.copyOf(seen);
    }

    /** Keys that have run more than once. */
    public List<String> repeated() {
        List<String> keys = new ArrayList<>();
        runs.forEach((key, count) -> {
            if (count.get() > 1) {
                keys.add(key);
            }
        });
        return keys;
    }

    /** Closes all connections, also those that are held on purpose. */
    public void hangUp() {
        open.forEach(socket -> {
            try {
                socket.close();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    @Override
    public void close() throws IOException {
        server.close();
        hangUp();
        threads.shutdown();
    }
}
