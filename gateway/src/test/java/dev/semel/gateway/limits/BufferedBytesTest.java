package dev.semel.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is in memory counts for as long as it is there. */
class BufferedBytesTest {

    /** More than a kernel takes for a client that does not read. */
    private static final int LARGE = 16 << 20;

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

    private long buffered() {
        String overview = gateway.admin("/api/overview").body();
        return Long.parseLong(overview.replaceAll("(?s).*\"bufferedBytes\":(\\d+).*", "$1"));
    }

    private long connections() {
        String metrics = gateway.admin("/metrics").body();
        return Math.round(Double.parseDouble(
                metrics.replaceAll("(?s).*\nsemel_gateway_connections(?:\\{[^}]*})? ([0-9.]+).*", "$1")));
    }

    private Socket send(String path) throws IOException {
        return send(path, "k");
    }

    private Socket send(String path, String key) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.gateway.port()));
        socket.setSoTimeout(20_000);
        socket.getOutputStream()
                .write(("POST " + path
                                + " HTTP/1.1\r\nHost: shop.example\r\nIdempotency-Key: " + key
                                + "\r\nContent-Length: 0\r\n"
                                + "Connection: close\r\n\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private void assertCountsUntilItIsRead(Socket socket) throws IOException {
        assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1))
                .isEqualTo("HTTP/1.1 200");
        await().until(this::buffered, bytes -> bytes == LARGE);

        assertThat(socket.getInputStream().readAllBytes()).hasSizeGreaterThan(LARGE);
        await().until(this::buffered, bytes -> bytes == 0);
    }

    @Test
    void aResponseCountsUntilItsClientHasReadIt() throws IOException {
        start("max-response", "32m", "max-buffered", "100m");
        try (Socket first = send("/big?bytes=" + LARGE)) {
            assertCountsUntilItIsRead(first);
        }
        try (Socket replay = send("/big?bytes=" + LARGE)) {
            assertCountsUntilItIsRead(replay);
        }
        assertThat(upstream.effects("k")).isOne();
    }

    @Test
    void aResponseCountsUntilItsClientHasLeft() throws IOException {
        start("max-response", "32m", "max-buffered", "100m");
        try (Socket socket = send("/big?bytes=" + LARGE)) {
            await().until(this::buffered, bytes -> bytes == LARGE);
        }
        await().until(this::buffered, bytes -> bytes == 0);
    }

    @Test
    void aClientThatDoesNotReadIsCutOff() throws IOException {
        start("max-response", "32m", "max-buffered", "100m", "idle-timeout", "500ms");
        try (Socket socket = send("/big?bytes=" + LARGE)) {
            await().until(() -> upstream.effects("k") == 1);
            await().until(this::connections, open -> open == 0);
            await().until(this::buffered, bytes -> bytes == 0);
        }
    }

    @Test
    void aClientThatDoesNotReadWhatIsPassedThroughIsCutOff() throws IOException {
        start("idle-timeout", "500ms", "protect", "false");
        try (Socket socket = send("/big?bytes=" + LARGE)) {
            await().until(this::connections, open -> open == 1);
            await().until(this::connections, open -> open == 0);
        }
    }

    @Test
    void aResponseThatFindsNoRoomReachesItsClientAndIsNotKept() {
        start("max-buffered", "200k", "timeout", "1s");

        HttpResponse<String> first = gateway.post("/big?bytes=150000", "no-room", "{}");
        HttpResponse<String> retry = gateway.post("/big?bytes=150000", "no-room", "{}");

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).hasSize(150_000);
        assertThat(retry.statusCode()).isEqualTo(410);
        assertThat(upstream.effects("no-room")).isOne();
        await().until(this::buffered, bytes -> bytes == 0);
    }

    @Test
    void aReplayThatFindsNoRoomIsPutOff() {
        start("max-buffered", "320k");
        assertThat(gateway.post("/big?bytes=120000", "put-off", "{}").statusCode())
                .isEqualTo(200);
        for (int i = 0; i < 5; i++) {
            gateway.postAsync("/hold", "holds-" + i, "\"" + "x".repeat(45_000) + "\"");
        }
        await().until(() -> upstream.waiting() == 5);

        HttpResponse<String> refused = gateway.post("/big?bytes=120000", "put-off", "{}");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();

        upstream.releaseAll();
        await().until(() -> gateway.post("/big?bytes=120000", "put-off", "{}").statusCode() == 200);
        assertThat(upstream.effects("put-off")).isOne();
    }

    @Test
    void aSmallRequestFindsRoomBesideLargeOnes() {
        start("max-buffered", "400k", "max-body", "1m");
        gateway.postAsync("/hold", "large", "\"" + "x".repeat(200_000) + "\"");
        await().until(() -> upstream.waiting() == 1);

        assertThat(gateway.post("/charges", "refused", "\"" + "x".repeat(200_000) + "\"")
                        .statusCode())
                .isEqualTo(503);
        assertThat(gateway.post("/charges", "small", "{}").statusCode()).isEqualTo(201);
        assertThat(upstream.effects("refused")).isZero();
        upstream.releaseAll();
    }

    @Test
    void unreadResponsesTooLargeToKeepDoNotTakeAllConnections() throws IOException {
        start("event-loops", "1", "upstream-connections", "4", "timeout", "20s");
        List<Socket> unread = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            unread.add(send("/big?bytes=" + LARGE, "unread-" + i));
            int effects = i + 1;
            await().until(() -> upstream.allEffects() == effects);
        }
        assertThat(gateway.post("/charges", "beside", "{}").statusCode()).isEqualTo(201);
        for (Socket socket : unread) {
            socket.close();
        }
    }
}
