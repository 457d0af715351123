package dev.semel.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests without a key, event streams and tunnels have connections of their own. */
class StreamLimitsTest {

    private static final String EVENTS = "GET /events HTTP/1.1\r\nHost: shop.example\r\n\r\n";
    private static final String ANNOUNCED_EVENTS =
            "GET /events HTTP/1.1\r\nHost: shop.example\r\nAccept: text/event-stream\r\n\r\n";
    private static final String TUNNEL = "GET /ws HTTP/1.1\r\nHost: shop.example\r\nConnection: Upgrade\r\n"
            + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    private static final String HELD = "GET /hold HTTP/1.1\r\nHost: shop.example\r\n\r\n";

    private final List<Socket> sockets = new ArrayList<>();
    private TestUpstream upstream;
    private TestGateway gateway;

    @BeforeEach
    void startUpstream() {
        upstream = new TestUpstream();
    }

    private void start(String... options) {
        List<String> all = new ArrayList<>(List.of("event-loops", "1", "timeout", "20s"));
        all.addAll(List.of(options));
        gateway = TestGateway.start(upstream.url(), all.toArray(String[]::new));
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        gateway.close();
        upstream.close();
    }

    private Socket send(String bytes) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.gateway.port());
        sockets.add(socket);
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return socket;
    }

    private static String status(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1);
    }

    private int charge(String key) {
        return gateway.post("/charges", key, "{}").statusCode();
    }

    @Test
    void eventStreamsDoNotTakeTheConnectionsOfProtectedRequests() throws IOException {
        start("upstream-connections", "2");
        for (int i = 0; i < 4; i++) {
            send(i % 2 == 0 ? EVENTS : ANNOUNCED_EVENTS);
        }
        await().until(() -> upstream.waiting() >= 2);

        assertThat(charge("beside-event-streams")).isEqualTo(201);
    }

    @Test
    void tunnelsDoNotTakeTheConnectionsOfProtectedRequests() throws IOException {
        start("upstream-connections", "2");
        assertThat(status(send(TUNNEL))).isEqualTo("HTTP/1.1 101");
        assertThat(status(send(TUNNEL))).isEqualTo("HTTP/1.1 101");

        assertThat(charge("beside-tunnels")).isEqualTo(201);
    }

    @Test
    void requestsWithoutAKeyDoNotTakeTheConnectionsOfProtectedRequests() throws IOException {
        start("upstream-connections", "2", "max-queue", "1");
        for (int i = 0; i < 3; i++) {
            send(HELD);
        }
        await().until(() -> upstream.waiting() >= 2);

        assertThat(charge("beside-slow-requests")).isEqualTo(201);
    }

    @Test
    void streamsDoNotTakeTheConnectionsOfRequestsWithoutAKey() throws IOException {
        start("pass-connections", "1", "max-streams", "3");
        for (String each : List.of(EVENTS, ANNOUNCED_EVENTS, TUNNEL)) {
            status(send(each));
        }

        assertThat(gateway.get("/echo").statusCode()).isEqualTo(200);
    }

    @Test
    void aStreamThatFindsNoRoomIsRefused() throws IOException {
        start("max-streams", "2");
        assertThat(status(send(EVENTS))).isEqualTo("HTTP/1.1 200");
        assertThat(status(send(TUNNEL))).isEqualTo("HTTP/1.1 101");

        for (String each : List.of(EVENTS, ANNOUNCED_EVENTS, TUNNEL)) {
            assertThat(head(send(each))).startsWith("HTTP/1.1 503").containsIgnoringCase("\r\nRetry-After: ");
        }
        assertThat(charge("beside-refused-streams")).isEqualTo(201);
    }

    @Test
    void aStreamThatEndsMakesRoom() throws IOException {
        start("max-streams", "1");
        for (String each : List.of(EVENTS, ANNOUNCED_EVENTS, TUNNEL, EVENTS)) {
            await().until(() -> {
                try (Socket socket = send(each)) {
                    return !status(socket).equals("HTTP/1.1 503");
                }
            });
        }
    }

    @Test
    void aStreamEndsWhenItIsTooOld() throws IOException {
        start("stream-age", "300ms");
        assertThat(rest(send(EVENTS.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))))
                .startsWith("HTTP/1.1 200")
                .endsWith("\r\n0\r\n\r\n");
    }

    @Test
    void aTunnelEndsWhenItIsTooOld() throws IOException {
        start("stream-age", "300ms");
        assertThat(rest(send(TUNNEL))).startsWith("HTTP/1.1 101");
    }

    private static String head(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = socket.getInputStream().read();
            assertThat(c).as("the end of %s", head).isNotNegative();
            head.append((char) c);
        }
        return head.toString();
    }

    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
}
