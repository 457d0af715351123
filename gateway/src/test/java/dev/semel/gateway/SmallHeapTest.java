package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A gateway whose process would end with the first allocation that fails. */
class SmallHeapTest {

    private static final int UPLOAD = 10 << 20;
    private static final int RESPONSE = 1_000_000;

    @TempDir
    private Path directory;

    private final List<Socket> sockets = new ArrayList<>();
    private TestUpstream upstream;
    private GatewayProcess gateway;

    @BeforeEach
    void startUpstream() {
        upstream = new TestUpstream();
    }

    private void start(String heap) {
        gateway =
                new GatewayProcess(directory, heap, upstream.url(), "sqlite:" + directory.resolve("semel.db")).start();
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        gateway.close();
        upstream.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        // As little as possible waits in the kernel.
        socket.setReceiveBufferSize(4096);
        socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
        socket.setSoTimeout(60_000);
        sockets.add(socket);
        return socket;
    }

    private static String head(String path, String key, String type, int length) {
        return "POST " + path + " HTTP/1.1\r\nHost: shop.example\r\nIdempotency-Key: " + key + "\r\nContent-Type: "
                + type + "\r\nContent-Length: " + length + "\r\n\r\n";
    }

    /** Whether all of it was sent, and not refused on the way. */
    private static boolean send(Socket socket, byte[] bytes) throws IOException {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return true;
        } catch (SocketException refused) {
            return false;
        }
    }

    private static String status(Socket socket) {
        try {
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1);
        } catch (IOException reset) {
            // A client that goes on sending may lose the answer to the reset of its connection.
            return "reset";
        }
    }

    private void assertStillServes() {
        assertThat(gateway.isAlive()).isTrue();
        HttpRequest charge = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/charges"))
                .version(HttpClient.Version.HTTP_1_1)
                .header("Idempotency-Key", "afterwards")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .timeout(Duration.ofSeconds(30))
                .build();
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(HttpClient.newHttpClient()
                                .send(charge, HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(201));
    }

    @ParameterizedTest
    @CsvSource({"256m, 40, application/octet-stream", "256m, 40, application/json", "384m, 13, application/octet-stream"
    })
    void largeUploadsAtTheSameTimeAreRefusedOrServed(String heap, int uploads, String type) throws IOException {
        start(heap);
        byte[] body = new byte[UPLOAD - 1];
        Arrays.fill(body, (byte) ' ');
        List<Socket> whole = new ArrayList<>();
        for (int i = 0; i < uploads; i++) {
            Socket socket = connect();
            send(socket, head("/upload", "upload-" + i, type, UPLOAD).getBytes(StandardCharsets.ISO_8859_1));
            if (send(socket, body)) {
                whole.add(socket);
            }
        }
        for (Socket socket : whole) {
            send(socket, new byte[] {'1'});
        }
        List<String> answers = whole.stream().map(SmallHeapTest::status).toList();
        assertThat(answers)
                .contains("HTTP/1.1 200")
                .allMatch(List.of("HTTP/1.1 200", "HTTP/1.1 503", "reset")::contains);
        assertStillServes();
    }

    @Test
    void unreadResponsesAreRefusedOrServed() throws IOException {
        start("256m");
        for (int i = 0; i < 400; i++) {
            send(
                    connect(),
                    head("/big?bytes=" + RESPONSE, "response-" + i, "text/plain", 0)
                            .getBytes(StandardCharsets.ISO_8859_1));
        }
        await().atMost(Duration.ofMinutes(1)).until(() -> upstream.allEffects() > 100 || !gateway.isAlive());
        assertStillServes();
    }

    @Test
    void unreadReplaysAreRefusedOrServed() throws IOException {
        start("256m");
        byte[] same =
                head("/big?bytes=" + RESPONSE, "replayed", "text/plain", 0).getBytes(StandardCharsets.ISO_8859_1);
        Socket first = connect();
        send(first, same);
        assertThat(status(first)).isEqualTo("HTTP/1.1 200");
        first.getInputStream().readNBytes(RESPONSE);
        for (int i = 0; i < 400; i++) {
            send(connect(), same);
        }
        assertStillServes();
        assertThat(upstream.effects("replayed")).isOne();
    }
}
