package dev.semel.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections beyond the limit cost those that do nothing. */
class ConnectionLimitTest {

    private static final int MOST = 4;
    private static final String HOST = " HTTP/1.1\r\nHost: shop.example\r\n";
    private static final String HELD = "GET /hold" + HOST + "\r\n";
    private static final String HELD_CHARGE =
            "POST /hold" + HOST + "Idempotency-Key: held\r\nContent-Length: 0\r\n\r\n";
    private static final String ANSWERED = "HEAD /echo" + HOST + "\r\n";

    private final List<Socket> sockets = new ArrayList<>();
    private TestUpstream upstream;
    private TestGateway gateway;

    @BeforeEach
    void start() {
        upstream = new TestUpstream();
        gateway = TestGateway.start(upstream.url(), "max-connections", Integer.toString(MOST));
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

    private static boolean isClosed(Socket socket) {
        try {
            socket.setSoTimeout(10);
            return socket.getInputStream().read() == -1;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void aConnectionWithoutARequestMakesRoomForANewOne() throws IOException {
        Socket held = send(HELD);
        await().until(() -> upstream.waiting() == 1);
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            silent.add(send(""));
        }
        assertThat(status(send(ANSWERED))).isEqualTo("HTTP/1.1 200");

        await().until(() -> silent.stream().anyMatch(ConnectionLimitTest::isClosed));
        upstream.releaseAll();
        assertThat(status(held)).isEqualTo("HTTP/1.1 201");
    }

    @Test
    void aRequestWithAKeyIsNotBrokenOff() throws IOException {
        Socket charge = send(HELD_CHARGE);
        await().until(() -> upstream.waiting() == 1);
        List<Socket> flood = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            flood.add(send(HELD));
        }
        // A connection whose request has not been read yet may be the one that is closed, also that of the next
        // request.
        await().until(() -> upstream.waiting() >= MOST && flood.stream().anyMatch(ConnectionLimitTest::isClosed));
        assertThat(gateway.post("/charges", "beside-a-flood", "{}").statusCode())
                .isEqualTo(201);

        upstream.releaseAll();
        assertThat(status(charge)).isEqualTo("HTTP/1.1 201");
    }

    @Test
    void connectionsBelowTheLimitStayOpenHoweverManyThereHaveBeen() throws IOException {
        Socket first = send(ANSWERED);
        assertThat(status(first)).isEqualTo("HTTP/1.1 200");
        for (int i = 0; i < 10; i++) {
            List<Socket> burst = new ArrayList<>();
            // One more is the admin client's.
            for (int j = 0; j < MOST - 2; j++) {
                burst.add(send(""));
            }
            for (Socket socket : burst) {
                socket.getOutputStream().write(ANSWERED.getBytes(StandardCharsets.ISO_8859_1));
                assertThat(status(socket)).isEqualTo("HTTP/1.1 200");
                socket.close();
            }
            await().until(
                            () -> gateway.admin("/metrics").body(),
                            body -> body.contains("semel_gateway_connections 1.0"));
        }
        first.getOutputStream()
                .write(("HEAD /echo" + HOST + "Connection: close\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
        assertThat(new String(first.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                .contains("HTTP/1.1 200");
    }
}
