package dev.semel.client;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server close enough to the socket to break off anywhere. */
final class RawServer implements AutoCloseable {

    record Request(String method, String path, Map<String, String> headers, byte[] body) {

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** A whole response, of which only the first bytes may be sent before the connection is closed. */
    record Response(byte[] bytes, int send) {

        static Response of(int status, String body, String... headers) {
            StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Status\r\nContent-Length: "
                    + body.getBytes(StandardCharsets.UTF_8).length + "\r\n");
            for (int i = 0; i < headers.length; i += 2) {
                head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
            }
            byte[] bytes = (head + "\r\n" + body).getBytes(StandardCharsets.UTF_8);
            return new Response(bytes, bytes.length);
        }

        Response cutAt(int length) {
            return new Response(bytes, length);
        }

        boolean whole() {
            return send == bytes.length;
        }
    }

    @FunctionalInterface
    interface Handler {
        Response handle(Request request) throws Exception;
    }

    final List<Request> requests = new CopyOnWriteArrayList<>();
    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "raw-server");
        thread.setDaemon(true);
        return thread;
    });
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Handler handler;

    RawServer(Handler handler) throws IOException {
        this.handler = handler;
        this.server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + path);
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
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            Request request = read(in);
            while (request != null) {
                requests.add(request);
                Response response = handler.handle(request);
                out.write(response.bytes, 0, response.send);
                out.flush();
                if (!response.whole()) {
                    return;
                }
                request = read(in);
            }
        } catch (Exception gone) {
            // The client has left, as clients here do.
        } finally {
            open.remove(socket);
        }
    }

    private static Request read(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        String line = line(in);
        while (line != null && !line.isEmpty()) {
            lines.add(line);
            line = line(in);
        }
        if (lines.isEmpty() || line == null) {
            return null;
        }
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String header : lines.subList(1, lines.size())) {
            int colon = header.indexOf(':');
            headers.put(header.substring(0, colon), header.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("Content-Length", "0"));
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            // The client was killed between the head and the end of the body: that is no request.
            return null;
        }
        if (headers.getOrDefault("Transfer-Encoding", "")
                .toLowerCase(Locale.ROOT)
                .equals("chunked")) {
            body = chunks(in);
        }
        String[] first = lines.get(0).split(" ");
        return new Request(first[0], first[1], headers, body);
    }

    private static byte[] chunks(InputStream in) throws IOException {
        StringBuilder body = new StringBuilder();
        int size = Integer.parseInt(String.valueOf(line(in)), 16);
        while (size > 0) {
            body.append(new String(in.readNBytes(size), StandardCharsets.ISO_8859_1));
            line(in);
            size = Integer.parseInt(String.valueOf(line(in)), 16);
        }
        line(in);
        return body.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int c = in.read();
        while (c != '\n') {
            if (c < 0) {
                return null;
            }
            if (c != '\r') {
                line.append((char) c);
            }
            c = in.read();
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
        threads.shutdownNow();
    }
}
