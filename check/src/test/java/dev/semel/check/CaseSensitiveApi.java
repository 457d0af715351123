package dev.semel.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that looks for the header as it is usually written, and replays what it finds under that. */
final class CaseSensitiveApi implements AutoCloseable {

    private static final String HEADER = "Idempotency-Key: ";

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final AtomicInteger charges = new AtomicInteger();

    CaseSensitiveApi() throws IOException {
        Thread thread = new Thread(this::serve, "case-sensitive-api");
        thread.setDaemon(true);
        thread.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/charges");
    }

    private void serve() {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                answer(socket);
            } catch (IOException closed) {
                // Of the server, or of a client that has left.
            }
        }
    }

    private void answer(Socket socket) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        String key = null;
        int length = 0;
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            if (line.startsWith(HEADER)) {
                key = line.substring(HEADER.length()).replace("\"", "");
            }
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring("Content-Length: ".length()));
            }
        }
        for (int i = 0; i < length; i++) {
            in.read();
        }
        String body = key == null
                ? "charge " + charges.incrementAndGet()
                : answers.computeIfAbsent(key, first -> "charge " + charges.incrementAndGet());
        socket.getOutputStream()
                .write(("HTTP/1.1 201 Created\r\nConnection: close\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                + body)
                        .getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
