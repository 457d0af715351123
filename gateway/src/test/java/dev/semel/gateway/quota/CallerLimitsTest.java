package dev.semel.gateway.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import dev.semel.gateway.config.CallerLimits;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one caller does leaves room for the others. */
class CallerLimitsTest {

    private static final int POOL = 256;

    private final List<Socket> sockets = new ArrayList<>();
    private TestUpstream upstream;
    private TestGateway gateway;

    @BeforeEach
    void startUpstream() {
        upstream = new TestUpstream();
    }

    private void start(String... options) {
        List<String> all = new ArrayList<>(List.of("scope", "header:X-User"));
        all.addAll(List.of(options));
        gateway = TestGateway.start(upstream.url(), all.toArray(String[]::new));
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        upstream.releaseAll();
        if (gateway != null) {
            gateway.close();
        }
        upstream.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.gateway.port());
        socket.setSoTimeout(10_000);
        sockets.add(socket);
        return socket;
    }

    private static Socket send(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return socket;
    }

    private static String head(String caller, String path, String key) {
        return "POST " + path + " HTTP/1.1\r\nHost: shop.example\r\nX-User: " + caller + "\r\nIdempotency-Key: " + key
                + "\r\nContent-Type: application/json\r\n";
    }

    private static String request(String caller, String path, String key) {
        return head(caller, path, key) + "Content-Length: 2\r\n\r\n{}";
    }

    private static String status(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1);
    }

    private static boolean isAnswered(Socket socket) {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Waits until each of the requests has an answer, or is at the service, or the service can take no more. */
    private void awaitSettled(List<Socket> attackers) {
        await().until(() -> {
            long answered =
                    attackers.stream().filter(CallerLimitsTest::isAnswered).count();
            return upstream.waiting() == POOL || upstream.waiting() + answered == attackers.size();
        });
    }

    @Test
    void threeHundredSlowKeysOfOneCallerDoNotDelayAnother() throws IOException {
        start();
        List<Socket> attackers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            attackers.add(send(connect(), request("mallory", "/hold", "slow-" + i)));
        }
        awaitSettled(attackers);

        assertThat(status(send(connect(), request("alice", "/charges", "a-1")))).isEqualTo("HTTP/1.1 201");
        assertThat(status(send(connect(), request("alice", "/charges", "a-2")))).isEqualTo("HTTP/1.1 201");
        assertThat(upstream.waiting()).isEqualTo(POOL / 2);
    }

    @Test
    void slowKeysOnConnectionsOfOneEventLoopDoNotDelayAnotherCaller() throws IOException {
        start();
        List<Socket> attackers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            attackers.add(send(connect(), request("mallory", "/hold", "slow-" + i)));
            connect();
        }
        await().until(() -> {
            long answered =
                    attackers.stream().filter(CallerLimitsTest::isAnswered).count();
            return upstream.waiting() == POOL / 2 || upstream.waiting() + answered == attackers.size();
        });

        for (int i = 0; i < 4; i++) {
            assertThat(status(send(connect(), request("alice", "/charges", "a-" + i))))
                    .isEqualTo("HTTP/1.1 201");
        }
        assertThat(upstream.waiting()).isEqualTo(POOL / 4);
    }

    @Test
    void slowLargeRequestsOfOneCallerLeaveRoomForOthers() throws IOException {
        start("max-buffered", "14m", "max-body", "1m");
        List<Socket> attackers = new ArrayList<>();
        for (int i = 0; i < 14; i++) {
            attackers.add(send(
                    connect(),
                    head("mallory", "/charges", "large-" + i) + "Content-Length: 1048576\r\n\r\n\""
                            + "x".repeat((1 << 20) - 2)));
        }
        await().until(() -> {
            long answered =
                    attackers.stream().filter(CallerLimitsTest::isAnswered).count();
            String overview = gateway.admin("/api/overview").body();
            long buffered = Long.parseLong(overview.replaceAll("(?s).*\"bufferedBytes\":(\\d+).*", "$1"));
            return buffered + (answered << 20) >= (14 << 20) - 14;
        });

        assertThat(status(send(
                        connect(),
                        head("alice", "/charges", "a-1") + "Content-Length: 500002\r\n\r\n\"" + "x".repeat(500_000)
                                + "\"")))
                .isEqualTo("HTTP/1.1 201");
        assertThat(attackers)
                .filteredOn(CallerLimitsTest::isAnswered)
                .isNotEmpty()
                .allSatisfy(socket -> assertThat(status(socket)).isEqualTo("HTTP/1.1 429"));
    }

    /** One whole answer: its head and a body of the length that the head names. */
    private static String answer(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            assertThat(next).as("the answer ends after %s", head).isNotNegative();
            head.append((char) next);
        }
        int length = Integer.parseInt(
                head.toString().toLowerCase(Locale.ROOT).replaceAll("(?s).*content-length: (\\d+).*", "$1"));
        return head + new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
    }

    private static void isRefused(String answer, String complaint) {
        assertThat(answer)
                .startsWith("HTTP/1.1 429 ")
                .containsIgnoringCase("content-type: application/problem+json")
                .containsPattern("(?i)retry-after: [1-9]")
                .contains("\"type\":\"urn:semel:problem:caller-over-limit\"")
                .contains(complaint, "\"outcome\":\"not-applied\"", "\"retry\":\"same-key\"");
    }

    private String keysInTheStore() {
        return gateway.admin("/api/keys").body();
    }

    @Test
    void aCallerWithTooMuchInFlightIsRefusedBeforeItsKeyIsClaimedOrItsBodyIsAskedFor() throws IOException {
        start("caller-in-flight", "1");
        send(connect(), request("mallory", "/hold", "held"));
        await().until(() -> upstream.waiting() == 1);

        Socket socket = send(
                connect(),
                head("mallory", "/charges", "second") + "Content-Length: 100000\r\nExpect: 100-continue\r\n\r\n");

        isRefused(answer(socket), "in flight");
        assertThat(keysInTheStore()).contains("held").doesNotContain("second");
        assertThat(upstream.effects("second")).isZero();
        assertThat(answer(send(connect(), request("alice", "/charges", "a")))).startsWith("HTTP/1.1 201 ");
        upstream.releaseAll();
        await().until(
                        () -> answer(send(connect(), request("mallory", "/charges", "second"))),
                        answer -> answer.startsWith("HTTP/1.1 201 "));
    }

    @Test
    void aFloodIsRefusedAndClaimsNothing() throws IOException {
        start("caller-rate", "1", "caller-burst", "5");
        Socket flood = connect();
        List<String> refused = new ArrayList<>();
        for (int i = 0; refused.size() < 100; i++) {
            String key = "flood-" + i + ".";
            String answer = answer(send(flood, request("mallory", "/status/422", key)));
            if (answer.startsWith("HTTP/1.1 429 ")) {
                isRefused(answer, "too many requests per second");
                refused.add(key);
            }
        }

        assertThat(keysInTheStore()).contains("flood-0.").doesNotContain(refused);
        assertThat(refused).allSatisfy(key -> assertThat(upstream.effects(key)).isZero());
        assertThat(answer(send(connect(), request("alice", "/charges", "a")))).startsWith("HTTP/1.1 201 ");
    }

    @Test
    void aCallerThatPollsOutcomesIsRateLimited() throws IOException {
        start("duplicates", "accepted", "caller-rate", "1", "caller-burst", "2");
        String look = "GET /semel/operations/k HTTP/1.1\r\nHost: shop.example\r\nX-User: mallory\r\n\r\n";
        Socket flood = connect();
        String answer = answer(send(flood, look));
        while (answer.startsWith("HTTP/1.1 404 ")) {
            answer = answer(send(flood, look));
        }

        assertThat(answer)
                .startsWith("HTTP/1.1 429 ")
                .containsPattern("(?i)retry-after: [1-9]")
                .as("what became of the operation is not known here")
                .doesNotContain("not-applied");
    }

    @Test
    void aCallerWithTooManyKeysMayStillAskForOutcomes() throws IOException {
        start("duplicates", "accepted", "caller-keys", "1");
        answer(send(connect(), request("alice", "/charges", "k")));
        isRefused(answer(send(connect(), request("alice", "/charges", "k2"))), "keys are kept");

        assertThat(answer(send(
                        connect(),
                        "GET /semel/operations/another HTTP/1.1\r\nHost: shop.example\r\nX-User: alice\r\n\r\n")))
                .startsWith("HTTP/1.1 404 ");
    }

    @Test
    void aClientThatLeavesGivesItsPlaceBack() throws IOException {
        start("caller-in-flight", "1");
        Socket slow = send(connect(), head("alice", "/charges", "k1") + "Content-Length: 100000\r\n\r\n{");
        await().until(() ->
                answer(send(connect(), request("alice", "/charges", "k2"))).startsWith("HTTP/1.1 429 "));

        slow.close();

        await().until(() ->
                answer(send(connect(), request("alice", "/charges", "k2"))).startsWith("HTTP/1.1 201 "));
    }

    @Test
    void aRequestThatIsRefusedForItselfGivesItsPlaceBack() throws IOException {
        start("caller-in-flight", "1", "max-body", "10");
        for (int i = 0; i < 3; i++) {
            assertThat(answer(send(connect(), head("alice", "/charges", "large-" + i) + "Content-Length: 100\r\n\r\n")))
                    .startsWith("HTTP/1.1 413 ");
        }
        assertThat(answer(send(connect(), request("alice", "/charges", "k")))).startsWith("HTTP/1.1 201 ");
    }

    @Test
    void aCallerWithTooManyKeysIsRefused() throws IOException {
        start("caller-keys", "2");
        for (int i = 0; i < 2; i++) {
            assertThat(answer(send(connect(), request("mallory", "/charges", "k" + i))))
                    .startsWith("HTTP/1.1 201 ");
        }
        isRefused(answer(send(connect(), request("mallory", "/charges", "k3"))), "keys are kept");
        assertThat(keysInTheStore()).doesNotContain("k3");
        assertThat(answer(send(connect(), request("alice", "/charges", "k3")))).startsWith("HTTP/1.1 201 ");
    }

    @Test
    void aCallerWithTooManyKeptBytesIsRefused() throws IOException {
        start("caller-bytes", "1k");
        assertThat(answer(send(connect(), request("mallory", "/big?bytes=2000", "k1"))))
                .startsWith("HTTP/1.1 200 ");
        isRefused(answer(send(connect(), request("mallory", "/charges", "k2"))), "too much room");
        assertThat(answer(send(connect(), request("alice", "/charges", "k2")))).startsWith("HTTP/1.1 201 ");
    }

    @Test
    void aCallerWithTooManyUnknownKeysIsRefused() throws IOException {
        start("caller-unknown", "1");
        assertThat(answer(send(connect(), request("mallory", "/break", "k1")))).startsWith("HTTP/1.1 502 ");
        isRefused(answer(send(connect(), request("mallory", "/charges", "k2"))), "is unknown");
        assertThat(answer(send(connect(), request("alice", "/charges", "k2")))).startsWith("HTTP/1.1 201 ");
    }

    @Test
    void inventedCallersDoNotGrowTheTable() throws IOException {
        start("max-body", "1");
        Socket inventor = connect();
        for (int i = 0; i < Quotas.REMEMBERED + 500; i++) {
            // Too large, and so refused before anything is stored.
            String caller = "invented-" + i + "-" + "x".repeat(500);
            assertThat(answer(send(inventor, request(caller, "/charges", "k")))).startsWith("HTTP/1.1 413 ");
        }

        JsonObject callers = new JsonObject(gateway.admin("/api/overview").body()).getJsonObject("callers");
        assertThat(callers.getInteger("remembered")).isEqualTo(Quotas.REMEMBERED);
        assertThat(callers.getJsonArray("top")).hasSize(10);
    }

    @Test
    void theOverviewShowsWhoTakesMost() throws IOException {
        start("caller-in-flight", "2");
        answer(send(connect(), request("alice", "/charges", "a")));
        for (int i = 0; i < 2; i++) {
            send(connect(), request("mallory", "/hold", "slow-" + i));
        }
        await().until(() -> upstream.waiting() == 2);
        answer(send(connect(), request("mallory", "/charges", "slow-3")));

        JsonObject callers = new JsonObject(gateway.admin("/api/overview").body()).getJsonObject("callers");

        assertThat(callers.getJsonObject("limits").getInteger("inFlight")).isEqualTo(2);
        JsonObject most = callers.getJsonArray("top").getJsonObject(0);
        assertThat(most.getString("scope")).isEqualTo("mallory");
        assertThat(most.getInteger("inFlight")).isEqualTo(2);
        assertThat(most.getInteger("bufferedBytes")).isEqualTo(4);
        assertThat(most.getInteger("refused")).isEqualTo(1);
        assertThat(callers.getJsonArray("top").getJsonObject(1).getInteger("keys"))
                .isEqualTo(1);
    }

    @Test
    void noMetricNamesACaller() throws IOException {
        start("caller-in-flight", "1");
        send(connect(), request("mallory-the-caller", "/hold", "held"));
        await().until(() -> upstream.waiting() == 1);
        answer(send(connect(), request("mallory-the-caller", "/charges", "k1")));
        answer(send(connect(), request("alice-the-caller", "/break", "k2")));
        answer(send(connect(), request("alice-the-caller", "/charges", "k3")));

        assertThat(gateway.admin("/metrics").body())
                .contains("semel_gateway_over_limit_total{limit=\"in-flight\"} 1.0")
                .doesNotContain("the-caller");
    }

    @Test
    void oneTrustedCallerHasNoLimitsUnlessTheyAreSet() {
        assertThat(TestGateway.config("http://127.0.0.1:9", "scope", "single").callerLimits())
                .isEqualTo(CallerLimits.NONE);
        assertThat(TestGateway.config("http://127.0.0.1:9", "scope", "single", "caller-in-flight", "3")
                        .callerLimits()
                        .inFlight())
                .isEqualTo(3);
    }
}
