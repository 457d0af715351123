package dev.semel.gateway;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;

/** A service that notes every request that is not exactly as HTTP/1.1 and the rules of the gateway want it. */
final class StrictUpstream {

    private static final Pattern REQUEST_LINE = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Z-]+ [!-~]+ HTTP/1\\.1");
    private static final Pattern FIELD_LINE =
            Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+: ?[\\t\\x20-\\x7e\\x80-\\xff]*");

    final BlockingQueue<String> violations = new LinkedBlockingQueue<>();
    private final ServerSocket server;

    StrictUpstream() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "upstream");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (true) {
            try {
                Socket socket = server.accept();
                start(() -> serve(socket));
            } catch (IOException e) {
                violations.add("the upstream cannot accept: " + e);
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (String head = RawClient.head(in); head != null; head = RawClient.head(in)) {
                check(head);
                RawClient.body(in, head.toLowerCase(Locale.ROOT));
                String target = head.split(" ")[1];
                String body = head.startsWith("HEAD ") ? "" : target;
                String answer = "HTTP/1.1 200 OK\r\nContent-Length: " + target.length() + "\r\n\r\n" + body;
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().flush();
            }
        } catch (IOException gone) {
            // The gateway gives a connection up when its client is gone.
        } catch (RuntimeException e) {
            violations.add("a request that cannot be read: " + e);
        }
    }

    private void check(String head) {
        List<String> lines = List.of(head.substring(0, head.length() - 4).split("\r\n", -1));
        require(REQUEST_LINE.matcher(lines.get(0)).matches(), "request line", head);
        for (String line : lines.subList(1, lines.size())) {
            require(FIELD_LINE.matcher(line).matches(), "header line", head);
        }
        require(count(lines, "host:") == 1, "one host", head);
        int lengths = count(lines, "content-length:");
        int codings = count(lines, "transfer-encoding:");
        require(lengths + codings <= 1, "one framing", head);
        require(
                codings == 0 || head.toLowerCase(Locale.ROOT).contains("\r\ntransfer-encoding: chunked\r\n"),
                "chunked",
                head);
        require(
                count(lines, "proxy:") + count(lines, "semel_") + count(lines, "keep-alive:") == 0,
                "no such header",
                head);
        if (head.startsWith("POST ") || head.startsWith("PATCH ")) {
            require(count(lines, "idempotency-key:") == 1, "one key", head);
            require(count(lines, "semel-attempt:") == 1, "guarded", head);
        } else {
            require(count(lines, "semel-") == 0, "not guarded", head);
        }
    }

    private static int count(List<String> lines, String name) {
        return (int) lines.stream()
                .filter(line -> line.regionMatches(true, 0, name, 0, name.length()))
                .count();
    }

    private void require(boolean condition, String rule, String head) {
        if (!condition) {
            violations.add(rule + ": " + head);
        }
    }
}
