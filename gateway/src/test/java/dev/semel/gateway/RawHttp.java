package dev.semel.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Exact bytes over a socket. */
public final class RawHttp {

    private static final int TIMEOUT_MILLIS = 10_000;

    private RawHttp() {}

    /** Sends these bytes on a connection of their own, and gives what comes back before it closes. */
    public static String exchange(int port, String bytes) throws IOException {
        return exchange("127.0.0.1", port, bytes);
    }

    /** The same, from this address of the loopback. */
    public static String exchange(String from, int port, String bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(from), 0)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /** A request that is the last of its connection. */
    public static String request(String method, String target, String... headers) {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        if (List.of(headers).stream().noneMatch(header -> header.regionMatches(true, 0, "host:", 0, 5))) {
            head.append("Host: shop.example\r\n");
        }
        return head + "Content-Length: 2\r\nConnection: close\r\n\r\n{}";
    }

    /** A service that notes the exact head of each request, answers 201, and closes. */
    public static final class Upstream implements AutoCloseable {

        public final List<String> heads = new CopyOnWriteArrayList<>();
        private final java.net.ServerSocket server;
        private final ExecutorService threads = Executors.newCachedThreadPool();

        public Upstream() throws IOException {
            server = new java.net.ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            threads.execute(this::accept);
        }

        public String url() {
            return "http://127.0.0.1:" + server.getLocalPort();
        }

        private void accept() {
            while (!server.isClosed()) {
                try {
                    Socket socket = server.accept();
                    CompletableFuture.runAsync(() -> serve(socket), threads);
                } catch (IOException closed) {
                    return;
                }
            }
        }

        private void serve(Socket socket) {
            try (socket) {
                StringBuilder head = new StringBuilder();
                int c = socket.getInputStream().read();
                while (c >= 0 && head.indexOf("\r\n\r\n") < 0) {
                    head.append((char) c);
                    c = head.indexOf("\r\n\r\n") < 0 ? socket.getInputStream().read() : -1;
                }
                heads.add(head.toString());
                socket.getOutputStream()
                        .write("HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().flush();
                socket.shutdownOutput();
                // Whatever is left of the body is read, so that the answer is not lost to a reset.
                socket.getInputStream().readAllBytes();
            } catch (IOException gone) {
                // The gateway has closed the connection, which some of these tests are about.
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
            threads.shutdownNow();
        }
    }
}
