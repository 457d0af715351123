package dev.semel.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LimitsTest {

    private static TestUpstream upstream;
    private static TestGateway gateway;

    @BeforeAll
    static void start() {
        upstream = new TestUpstream();
        gateway = TestGateway.start(
                upstream.url(), "idle-timeout", "500ms", "max-header", "4k", "max-buffered", "100k", "max-body", "1m");
    }

    @AfterAll
    static void stop() {
        gateway.close();
        upstream.close();
    }

    private static Socket connect() throws IOException {
        Socket socket = new Socket("127.0.0.1", gateway.gateway.port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    @Test
    void closesAConnectionWithoutARequest() throws IOException {
        try (Socket socket = connect()) {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void closesAConnectionOnWhichAHeaderNeverEnds() throws IOException {
        try (Socket socket = connect()) {
            send(socket, "GET /echo HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void closesAConnectionThatIsNotUsedAnyMore() throws IOException {
        try (Socket socket = connect()) {
            send(socket, "GET /big?bytes=1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void tellsAClientWhoseProtectedBodyDoesNotArrive() throws IOException {
        try (Socket socket = connect()) {
            send(
                    socket,
                    "POST /charges HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: slow-body\r\nContent-Length: 10\r\n\r\n12");
            assertThat(new String(socket.getInputStream().readNBytes(16), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 408");
        }
        assertThat(upstream.effects("slow-body")).isZero();
    }

    @Test
    void aConnectionThatIsUsedOutlivesTheIdleTimeout() throws Exception {
        try (Socket socket = connect();
                BufferedReader in = new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1500);
            while (System.nanoTime() < end) {
                send(socket, "HEAD /echo HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(in.readLine()).startsWith("HTTP/1.1 ");
                while (!in.readLine().isEmpty()) {
                    // The rest of the header.
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    @Test
    void refusesAHeaderThatIsTooLarge() throws IOException {
        try (Socket socket = connect()) {
            send(socket, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: " + "x".repeat(8000) + "\r\n\r\n");
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1))
                    .isEqualTo("HTTP/1.1 431");
        }
    }

    @Test
    void refusesBodiesThatFindNoRoom() {
        HttpResponse<String> response = gateway.post("/charges", "no-room", "\"" + "x".repeat(200_000) + "\"");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("urn:semel:problem:not-executed");
        assertThat(upstream.effects("no-room")).isZero();
    }

    @Test
    void givesBackTheRoomThatBodiesTook() {
        for (int i = 0; i < 20; i++) {
            String body = "\"" + "x".repeat(40_000) + "\"";
            assertThat(gateway.post("/charges", "room-" + i, body).statusCode()).isEqualTo(201);
        }
        gateway.post("/charges", "no-room-2", "\"" + "x".repeat(200_000) + "\"");

        assertThat(gateway.admin("/api/overview").body()).contains("\"bufferedBytes\":0");
    }
}
