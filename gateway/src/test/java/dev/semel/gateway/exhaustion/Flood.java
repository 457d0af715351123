package dev.semel.gateway.exhaustion;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Many connections that all do the same, on one thread, and come back when the gateway closes them. */
final class Flood implements AutoCloseable {

    private static final int PAUSE_MILLIS = 200;
    private static final int UPLOAD = 10 << 20;
    private static final int AT_ONCE = 100;

    /** What each connection does. */
    enum Attack {
        EVENT_STREAMS(600),
        TUNNELS(600),
        SLOW_REQUESTS_WITHOUT_A_KEY(1500),
        SLOW_BODIES_WITHOUT_A_CALLER(300),
        SLOW_LARGE_BODIES(40),
        SLOW_KEYS_OF_ONE_CALLER(300),
        RESPONSES_NOBODY_READS(300),
        CONNECTIONS(4000);

        private final int connections;

        Attack(int connections) {
            this.connections = connections;
        }

        int connections() {
            return connections;
        }

        private byte[] opening(long number) {
            String key = "Idempotency-Key: attack-" + number + "\r\n";
            String user = "X-User: mallory\r\n";
            return switch (this) {
                case EVENT_STREAMS ->
                    bytes("GET /events", number % 2 == 0 ? "Accept: text/event-stream\r\n\r\n" : "\r\n");
                case TUNNELS ->
                    bytes(
                            "GET /ws",
                            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
                case SLOW_REQUESTS_WITHOUT_A_KEY -> bytes("GET /hold", "\r\n");
                case SLOW_BODIES_WITHOUT_A_CALLER ->
                    bytes("POST /charges", key + "Content-Length: " + UPLOAD + "\r\n\r\n" + "x".repeat(100_000));
                case SLOW_LARGE_BODIES ->
                    bytes(
                            "POST /upload",
                            key + user + "Content-Length: " + UPLOAD + "\r\n\r\n" + "x".repeat(UPLOAD - 10_000));
                case SLOW_KEYS_OF_ONE_CALLER -> bytes("POST /hold", key + user + "Content-Length: 0\r\n\r\n");
                case RESPONSES_NOBODY_READS ->
                    bytes("POST /big?bytes=1000000", key + user + "Content-Length: 0\r\n\r\n");
                case CONNECTIONS -> new byte[0];
            };
        }

        private boolean trickles() {
            return this == SLOW_BODIES_WITHOUT_A_CALLER || this == SLOW_LARGE_BODIES;
        }

        private boolean reads() {
            return this != RESPONSES_NOBODY_READS;
        }

        private static byte[] bytes(String start, String rest) {
            return (start + " HTTP/1.1\r\nHost: shop.example\r\n" + rest).getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    private final Attack attack;
    private final int port;
    private final List<Connection> connections = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "flood");
    private volatile boolean over;
    private final AtomicLong opened = new AtomicLong();

    Flood(Attack attack, int port) {
        this.attack = attack;
        this.port = port;
        thread.setDaemon(true);
        thread.start();
    }

    /** How many connections there have been. */
    long opened() {
        return opened.get();
    }

    private void run() {
        ByteBuffer trash = ByteBuffer.allocate(16 << 10);
        while (!over) {
            connections.removeIf(connection -> !connection.goesOn(trash));
            for (int i = 0; i < AT_ONCE && connections.size() < attack.connections; i++) {
                try {
                    connections.add(new Connection(attack.opening(opened.getAndIncrement())));
                } catch (IOException full) {
                    // The gateway, or this machine, has no room for more: that is for the next round.
                    break;
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private final class Connection {

        private final SocketChannel channel = SocketChannel.open();
        private ByteBuffer unsent;

        private Connection(byte[] opening) throws IOException {
            unsent = ByteBuffer.wrap(opening);
            if (!attack.reads()) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
            }
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.configureBlocking(false);
        }

        private boolean goesOn(ByteBuffer trash) {
            try {
                if (!unsent.hasRemaining() && attack.trickles()) {
                    unsent = ByteBuffer.wrap(new byte[] {'x'});
                }
                if (unsent.hasRemaining()) {
                    channel.write(unsent);
                }
                if (attack.reads() && channel.read(trash.clear()) < 0) {
                    channel.close();
                    return false;
                }
                return true;
            } catch (IOException closed) {
                close();
                return false;
            }
        }

        private void close() {
            try {
                channel.close();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        over = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        connections.forEach(Connection::close);
    }
}
