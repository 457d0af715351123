package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway with 512 MB of heap, and clients that want too much of it. */
class HardTimesTest {

    private static final int IDLE = 1000;
    private static final int SLOW = 200;
    private static final int UPLOAD = 100 << 20;

    @TempDir
    Path directory;

    @Test
    void answersOthersDespiteIdleConnectionsSlowHeadersAndALargeUpload() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (TestUpstream upstream = new TestUpstream();
                GatewayProcess gateway = new GatewayProcess(directory, "512m", upstream.url(), "memory:").start()) {
            for (int i = 0; i < IDLE; i++) {
                sockets.add(idle(gateway));
            }
            for (int i = 0; i < SLOW; i++) {
                sockets.add(slow(gateway));
            }
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            CompletableFuture<HttpResponse<String>> upload = client.sendAsync(
                    HttpRequest.newBuilder(gateway.uri("/upload"))
                            .POST(BodyPublishers.ofInputStream(() -> new Zeros(UPLOAD)))
                            .build(),
                    BodyHandlers.ofString());
            trickle(sockets.subList(IDLE, sockets.size()));

            for (int i = 0; i < 50; i++) {
                HttpRequest charge = HttpRequest.newBuilder(gateway.uri("/charges"))
                        .header("Idempotency-Key", "hard-" + i)
                        .POST(BodyPublishers.ofString("{}"))
                        .build();
                assertThat(client.send(charge, BodyHandlers.ofString()).statusCode())
                        .isEqualTo(201);
            }
            assertThat(upload.join().body()).isEqualTo(UPLOAD + " bytes");
            assertThat(request(sockets.get(0)))
                    .as("an idle connection is of use again")
                    .startsWith("HTTP/1.1 200");
            assertThat(gateway.isAlive()).isTrue();
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static Socket idle(GatewayProcess gateway) throws IOException {
        Socket socket = new Socket("127.0.0.1", gateway.port());
        socket.setSoTimeout(60_000);
        assertThat(request(socket)).startsWith("HTTP/1.1 200");
        return socket;
    }

    private static String request(Socket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write("GET /big?bytes=0 HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
        StringBuilder head = new StringBuilder();
        InputStream in = socket.getInputStream();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int read = in.read();
            assertThat(read).isNotEqualTo(-1);
            head.append((char) read);
        }
        return head.toString();
    }

    private static Socket slow(GatewayProcess gateway) throws IOException {
        Socket socket = new Socket("127.0.0.1", gateway.port());
        socket.getOutputStream().write("GET / HTTP/1.1\r\nX-Slow: ".getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static void trickle(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.getOutputStream().write('x');
        }
    }

    /** As many zeros as asked for, none of which are kept. */
    private static final class Zeros extends InputStream {

        private int left;

        private Zeros(int left) {
            this.left = left;
        }

        @Override
        public int read() {
            return left-- > 0 ? 0 : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            if (left <= 0) {
                return -1;
            }
            int count = Math.min(left, length);
            java.util.Arrays.fill(bytes, offset, offset + count, (byte) 0);
            left -= count;
            return count;
        }
    }
}
