package dev.semel.gateway;

import static dev.semel.fuzz.Fuzz.require;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** A connection over which exact bytes are sent, and which reads what comes back strictly. */
final class RawClient implements AutoCloseable {

    private static final int HANG_MILLIS = 20_000;

    /** A response; {@code head} in lower case. */
    record Response(int status, String head, String body) {}

    private final Socket socket;
    private final InputStream in;

    /** Connects from any address of the loopback, since the ports of one are used up soon. */
    RawClient(int port) throws IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        socket = new Socket();
        socket.bind(new InetSocketAddress(
                InetAddress.getByAddress(
                        new byte[] {127, 1, (byte) random.nextInt(256), (byte) (1 + random.nextInt(254))}),
                0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(HANG_MILLIS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    Response exchange(String request) throws IOException {
        send(request.getBytes(StandardCharsets.ISO_8859_1));
        return response(request.startsWith("HEAD "));
    }

    private Response response(boolean ofHead) throws IOException {
        String head = head(in);
        if (head == null) {
            throw new IOException("closed");
        }
        String lower = head.toLowerCase(Locale.ROOT);
        require(lower.matches("(?s)http/1\\.[01] [1-5][0-9][0-9] .*"), "a status line", head);
        int status = Integer.parseInt(head.substring(9, 12));
        if (status == 100) {
            return response(ofHead);
        }
        boolean hasBody = !ofHead && status != 204 && status != 304;
        return new Response(status, lower, hasBody ? body(in, lower) : "");
    }

    /** Reads up to an empty line; {@code null} at the end of the connection. */
    static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int last = 0;
        for (int c = in.read(); c >= 0; c = in.read()) {
            head.write(c);
            last = last << 8 | c;
            if (last == 0x0d0a0d0a) {
                return head.toString(StandardCharsets.ISO_8859_1);
            }
        }
        return null;
    }

    /** Reads the body that a head in lower case announces. */
    static String body(InputStream in, String head) throws IOException {
        if (head.contains("\r\ntransfer-encoding: chunked\r\n")) {
            StringBuilder body = new StringBuilder();
            for (int size = size(in); size > 0; size = size(in)) {
                body.append(new String(in.readNBytes(size), StandardCharsets.ISO_8859_1));
                in.readNBytes(2);
            }
            in.readNBytes(2);
            return body.toString();
        }
        int start = head.indexOf("\r\ncontent-length: ");
        if (start < 0) {
            return "";
        }
        String length = head.substring(start + 18, head.indexOf("\r\n", start + 18));
        return new String(in.readNBytes(Integer.parseInt(length)), StandardCharsets.ISO_8859_1);
    }

    private static int size(InputStream in) throws IOException {
        StringBuilder size = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            size.append((char) c);
        }
        return size.toString().isBlank()
                ? 0
                : Integer.parseInt(size.toString().strip().split(";")[0], 16);
    }

    /** Whether the other side closes within this time; what it sends before is dropped. */
    boolean closesWithin(int millis) throws IOException {
        socket.setSoTimeout(millis);
        byte[] dropped = new byte[4096];
        try {
            while (in.read(dropped) >= 0) {
                continue;
            }
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    void endOutput() throws IOException {
        try {
            socket.shutdownOutput();
        } catch (java.net.SocketException closed) {
            // The other side was faster.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
