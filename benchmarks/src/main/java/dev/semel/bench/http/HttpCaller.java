package dev.semel.bench.http;

import dev.semel.bench.measure.Payload;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A client that keeps its connection, and costs so little that what is measured is the server. It sends small charges,
 * each with a key of its own.
 */
final class HttpCaller implements AutoCloseable {

    private static final String BODY = "{\"amount\":1999,\"currency\":\"EUR\",\"card\":\"tok_visa\",\"order\":\"";
    private static final String BODY_END = "\"}";
    private static final int UUID_LENGTH = 36;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String head;

    HttpCaller(int port, String path) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
        head = "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: "
                + (BODY.length() + UUID_LENGTH + BODY_END.length()) + "\r\nIdempotency-Key: ";
    }

    /** Sends a charge and reads its answer, which must be that it was made. */
    void call() throws IOException {
        String order = Payload.newKey();
        out.write((head + order + "\r\n\r\n" + BODY + order + BODY_END).getBytes(StandardCharsets.US_ASCII));
        String status = line();
        if (!status.startsWith("HTTP/1.1 201")) {
            throw new IOException("expected a charge to be made, got: " + status);
        }
        int length = -1;
        for (String line = line(); !line.isEmpty(); line = line()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(
                        line.substring("content-length:".length()).strip());
            }
        }
        if (length < 0 || in.readNBytes(length).length != length) {
            throw new IOException("the answer has no whole body: " + status);
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the server closed the connection");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
