package dev.semel.attack.lab;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One connection of the counting service, and all the ways in which it answers. */
final class UpstreamConnection {

    private static final int BIG = 8 << 20;
    private static final int KEPT = 900 << 10;
    private static final byte[] ZEROS = new byte[64 << 10];
    private static final int HOLD_MILLIS = 8_000;
    private static final int LATE_MILLIS = 500;

    private final CountingUpstream upstream;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    UpstreamConnection(CountingUpstream upstream, Socket socket) throws IOException {
        this.upstream = upstream;
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    void serve() throws IOException {
        String head = MessageReader.read(in);
        while (!head.isEmpty()) {
            SeenRequest request = SeenRequest.of(head);
            int run = upstream.note(request);
            readBody(request);
            answer(request, run);
            head = MessageReader.read(in);
        }
    }

    /** Takes any mention of chunks for chunks, and of two lengths the last, as careless services do. */
    private void readBody(SeenRequest request) throws IOException {
        if (request.values("Transfer-Encoding").stream().anyMatch(coding -> coding.contains("chunked"))) {
            MessageReader.readChunks(in, OutputStream.nullOutputStream());
        } else if (!request.values("Content-Length").isEmpty()) {
            String length = request.values("Content-Length")
                    .get(request.values("Content-Length").size() - 1);
            MessageReader.copy(
                    in, length.matches("\\d{1,9}") ? Long.parseLong(length) : 0, OutputStream.nullOutputStream());
        }
    }

    private void answer(SeenRequest request, int run) throws IOException {
        String target = request.target();
        if (target.contains("/events")) {
            send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: first\n\n");
            awaitEnd();
        } else if (target.contains("/tunnel")) {
            send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
            awaitEnd();
        } else if (target.contains("/hold")) {
            pause(HOLD_MILLIS);
            created(request, run);
        } else if (target.contains("/break")) {
            socket.close();
        } else if (target.contains("/big")) {
            body(BIG);
        } else if (target.contains("/kept")) {
            body(KEPT);
        } else if (target.contains("/late") && request.method().equals("HEAD")) {
            send("HTTP/1.1 200 OK\r\nContent-Length: 79\r\n\r\n");
            pause(LATE_MILLIS);
            send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 8\r\n\r\npoisoned");
        } else {
            created(request, run);
        }
    }

    private void created(SeenRequest request, int run) throws IOException {
        String key = request.values("Idempotency-Key").stream()
                .findFirst()
                .orElse("")
                .replace("\"", "");
        String host = request.values("Host").stream().findFirst().orElse("");
        String body = "{\"key\":\"" + key + "\",\"run\":" + run + ",\"host\":\"" + host + "\"}";
        send("HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n"
                + (request.method().equals("HEAD") ? "" : body));
    }

    private void body(int length) throws IOException {
        send("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: " + length + "\r\n\r\n");
        for (int sent = 0; sent < length; sent += ZEROS.length) {
            out.write(ZEROS, 0, Math.min(ZEROS.length, length - sent));
        }
        out.flush();
    }

    private void awaitEnd() throws IOException {
        in.transferTo(OutputStream.nullOutputStream());
        socket.close();
    }

    private static void pause(int millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private void send(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }
}
