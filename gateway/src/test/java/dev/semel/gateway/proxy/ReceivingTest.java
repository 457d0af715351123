package dev.semel.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A body takes room when its caller is known, and for as long as it takes to send it. */
class ReceivingTest {

    private static final String HEAD = "POST /charges HTTP/1.1\r\nHost: shop.example\r\nIdempotency-Key: k\r\n";

    private TestUpstream upstream;
    private TestGateway gateway;

    @BeforeEach
    void startUpstream() {
        upstream = new TestUpstream();
    }

    private void start(String... options) {
        gateway = TestGateway.start(upstream.url(), options);
    }

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    private Socket connect(String bytes) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.gateway.port());
        socket.setSoTimeout(10_000);
        send(socket, bytes);
        return socket;
    }

    private static void send(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    private static String status(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1);
    }

    @Test
    void aRequestWithoutACallerIsNotAskedForItsBody() throws IOException {
        start("scope", "header:X-User");
        try (Socket socket = connect(HEAD + "Content-Length: 100000\r\nExpect: 100-continue\r\n\r\n")) {
            assertThat(status(socket)).isEqualTo("HTTP/1.1 403");
        }
    }

    @Test
    void requestsWithoutACallerTakeNoRoom() throws IOException {
        start("scope", "header:X-User", "max-buffered", "100k");
        List<Socket> attackers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            attackers.add(connect(HEAD + "Content-Length: 1000000\r\n\r\n" + "x".repeat(50_000)));
        }
        for (Socket attacker : attackers) {
            assertThat(status(attacker)).isEqualTo("HTTP/1.1 403");
        }
        assertThat(gateway.admin("/api/overview").body()).contains("\"bufferedBytes\":0");
        assertThat(gateway.post("/charges", "k2", "\"" + "x".repeat(50_000) + "\"", "X-User", "alice")
                        .statusCode())
                .isEqualTo(201);
        for (Socket attacker : attackers) {
            attacker.close();
        }
    }

    /** Sends a byte every 50 ms until the gateway answers or has had enough. */
    private static String trickle(Socket socket) throws IOException, InterruptedException {
        for (int i = 0; i < 60 && socket.getInputStream().available() == 0; i++) {
            try {
                send(socket, "1");
            } catch (SocketException closed) {
                break;
            }
            Thread.sleep(50);
        }
        return socket.getInputStream().available() == 0 ? "no answer" : status(socket);
    }

    @Test
    void aBodyThatTricklesInIsRefused() throws Exception {
        start("idle-timeout", "500ms");
        try (Socket socket = connect(HEAD + "Content-Length: 100000\r\n\r\n")) {
            assertThat(trickle(socket)).isEqualTo("HTTP/1.1 408");
        }
        await().until(() -> gateway.admin("/api/overview").body(), body -> body.contains("\"bufferedBytes\":0"));
        assertThat(upstream.allEffects()).isZero();
    }

    @Test
    void aBodyHasToArriveInTime() throws Exception {
        start("receive-timeout", "500ms", "min-rate", "0");
        try (Socket socket = connect(HEAD + "Content-Length: 100000\r\n\r\n")) {
            assertThat(trickle(socket)).isEqualTo("HTTP/1.1 408");
        }
    }

    @Test
    void aSlowBodyThatIsFastEnoughIsAccepted() throws Exception {
        start("idle-timeout", "300ms", "min-rate", "100");
        try (Socket socket = connect(HEAD + "Content-Length: 12\r\n\r\n\"")) {
            for (int i = 0; i < 10; i++) {
                Thread.sleep(20);
                send(socket, "x");
            }
            send(socket, "\"");
            assertThat(status(socket)).isEqualTo("HTTP/1.1 201");
        }
    }
}
