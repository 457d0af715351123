package dev.semel.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How long connections of the admin address live, and how many there are. */
class AdminConnectionsTest {

    private static final String HEALTH = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private static TestUpstream upstream;
    private static TestGateway gateway;

    @BeforeAll
    static void start() {
        upstream = new TestUpstream();
        gateway = TestGateway.start(upstream.url(), "idle-timeout", "500ms");
    }

    @AfterAll
    static void stop() {
        gateway.close();
        upstream.close();
    }

    private static Socket connect(TestGateway to) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), to.gateway.adminPort());
        socket.setSoTimeout(20_000);
        return socket;
    }

    /** The status line of the answer, which is read whole. */
    private static String ask(Socket socket) {
        try {
            socket.getOutputStream().write(HEALTH.getBytes(StandardCharsets.ISO_8859_1));
            StringBuilder answer = new StringBuilder();
            while (answer.indexOf("\"ok\"}") < 0) {
                int c = socket.getInputStream().read();
                if (c < 0) {
                    return "closed after \"" + answer + "\"";
                }
                answer.append((char) c);
            }
            return answer.substring(0, answer.indexOf("\r\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aConnectionThatIsUsedOutlivesTheIdleTimeout() throws IOException {
        try (Socket socket = connect(gateway)) {
            await().pollInterval(Duration.ofMillis(50))
                    .during(Duration.ofMillis(1500))
                    .atMost(Duration.ofSeconds(30))
                    .failFast(() -> assertThat(ask(socket)).isEqualTo("HTTP/1.1 200 OK"))
                    .until(() -> true);
        }
    }

    @Test
    void aConnectionThatIsNotUsedAnyMoreIsClosed() throws IOException {
        try (Socket socket = connect(gateway)) {
            assertThat(ask(socket)).isEqualTo("HTTP/1.1 200 OK");

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aConnectionOnWhichAHeaderNeverEndsIsClosed() throws IOException {
        try (Socket socket = connect(gateway)) {
            socket.getOutputStream().write("GET /health HTTP/1.1\r\nX-Slow: ".getBytes(StandardCharsets.ISO_8859_1));

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void theNewestConnectionsFindRoomWhereOthersStandIdle() throws IOException {
        List<Socket> many = new ArrayList<>();
        try (TestGateway patient = TestGateway.start(upstream.url(), "idle-timeout", "10m");
                Socket first = connect(patient)) {
            assertThat(ask(first)).isEqualTo("HTTP/1.1 200 OK");
            for (int i = 0; i < 200; i++) {
                Socket socket = connect(patient);
                many.add(socket);
                assertThat(ask(socket)).as("connection " + i).isEqualTo("HTTP/1.1 200 OK");
            }

            assertThat(first.getInputStream().read())
                    .as("the one that is idle for longest")
                    .isEqualTo(-1);
            assertThat(ask(many.get(many.size() - 1))).isEqualTo("HTTP/1.1 200 OK");
        } finally {
            for (Socket socket : many) {
                socket.close();
            }
        }
    }
}
