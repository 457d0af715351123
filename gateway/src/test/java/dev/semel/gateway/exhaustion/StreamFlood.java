package dev.semel.gateway.exhaustion;

import dev.semel.gateway.RawHttp2;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/** Streams of HTTP/2 that are opened and, in rapid succession, given up again. */
final class StreamFlood implements AutoCloseable {

    private static final int CONNECTIONS = 4;
    private static final int STREAMS_AT_ONCE = 10;
    private static final int PAUSE_MILLIS = 100;

    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    StreamFlood(SSLContext trust, int port, boolean reset) {
        for (int i = 0; i < CONNECTIONS; i++) {
            Thread thread = new Thread(() -> run(trust, port, reset), "streams");
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    private void run(SSLContext trust, int port, boolean reset) {
        while (!over) {
            try (RawHttp2 connection = new RawHttp2(trust, port)) {
                while (!over) {
                    for (int i = 0; i < STREAMS_AT_ONCE; i++) {
                        connection.send(
                                ":method", "GET", ":scheme", "https", ":path", "/hold", ":authority", "shop.example");
                        if (reset) {
                            connection.reset();
                        }
                    }
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                }
            } catch (IOException refused) {
                // The gateway has had enough of this connection: the next one.
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    @Override
    public void close() {
        over = true;
        threads.forEach(Thread::interrupt);
    }
}
