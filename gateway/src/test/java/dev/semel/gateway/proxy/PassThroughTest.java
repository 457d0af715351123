package dev.semel.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.gateway.Gateway;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PassThroughTest {

    private static TestUpstream upstream;
    private static TestGateway gateway;
    private static Vertx vertx;

    @BeforeAll
    static void start() {
        upstream = new TestUpstream();
        gateway = TestGateway.start(upstream.url());
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stop() {
        gateway.close();
        upstream.close();
        Gateway.await(vertx.close());
    }

    @Test
    void streamsALargeBodyBothWays() {
        HttpRequest.Builder upload =
                HttpRequest.newBuilder(gateway.uri("/upload")).POST(BodyPublishers.ofByteArray(new byte[20 << 20]));

        assertThat(gateway.send(upload).body()).isEqualTo((20 << 20) + " bytes");
        assertThat(gateway.get("/big?bytes=" + (5 << 20)).body()).hasSize(5 << 20);
    }

    @Test
    void keepsHeadersThatConcernOneConnectionToItself() throws IOException {
        String response = raw("""
                GET /echo?a=%20b HTTP/1.1
                Host: shop.example
                Connection: close, X-Private
                X-Private: 1
                Keep-Alive: timeout=5
                Proxy-Authorization: Basic eA==
                TE: gzip
                X-Forwarded-For: 1.2.3.4
                X-Forwarded-Proto: https
                Semel-Fencing-Token: 5
                Cookie: a=1
                X-Public: 2

                """);

        assertThat(response)
                .startsWith("HTTP/1.1 200")
                .contains("\"uri\":\"/echo?a=%20b\"")
                .contains("\"x-public\":\"2\"")
                .contains("\"cookie\":\"a=1\"")
                .contains("\"x-forwarded-for\":\"127.0.0.1\"")
                .contains("\"x-forwarded-proto\":\"http\"")
                .contains("\"x-forwarded-host\":\"shop.example\"")
                .contains("\"host\":\"127.0.0.1:")
                .contains("\"via\":\"1.1 semel\"")
                .containsIgnoringCase("\r\nvia: 1.1 semel")
                .doesNotContain(
                        "x-private", "keep-alive\"", "proxy-authorization", "\"te\"", "1.2.3.4", "semel-fencing");
    }

    @Test
    void answersAnExpectationToContinue() throws IOException {
        String response = raw("""
                POST /echo HTTP/1.1
                Host: localhost
                Content-Length: 5
                Expect: 100-continue
                Connection: close

                hello""");

        assertThat(response).startsWith("HTTP/1.1 100 Continue").contains("\"body\":\"hello\"");
    }

    @Test
    void refusesARequestWithTwoLengths() throws IOException {
        String response = raw("""
                POST /echo HTTP/1.1
                Host: localhost
                Content-Length: 5
                Content-Length: 6
                Connection: close

                hello!""");

        assertThat(response).startsWith("HTTP/1.1 400");
    }

    private static String raw(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", gateway.gateway.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void answersAHeadRequestWithTheLengthAndWithoutABody() {
        HttpResponse<String> response = gateway.send(
                HttpRequest.newBuilder(gateway.uri("/big?bytes=77")).method("HEAD", BodyPublishers.noBody()));

        assertThat(response.headers().firstValue("Content-Length")).hasValue("77");
        assertThat(response.body()).isEmpty();
    }

    @Test
    void breaksOffWhereTheUpstreamBreaksOff() {
        assertThatThrownBy(() -> gateway.get("/break-midway")).hasRootCauseInstanceOf(IOException.class);
    }

    @Test
    void passesEventsOnAsTheyCome() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        HttpResponse<java.io.InputStream> response =
                client.send(HttpRequest.newBuilder(gateway.uri("/events")).build(), BodyHandlers.ofInputStream());
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("data: first");
            assertThat(lines.readLine()).isEmpty();

            upstream.sendEvent("second");

            assertThat(lines.readLine()).isEqualTo("data: second");
        }
    }

    @Test
    void carriesAWebSocket() throws Exception {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        WebSocket socket = Gateway.await(vertx.createWebSocketClient()
                .connect(new WebSocketConnectOptions()
                        .setHost("127.0.0.1")
                        .setPort(gateway.gateway.port())
                        .setURI("/ws")));
        socket.textMessageHandler(received::add);

        socket.writeTextMessage("hello");

        assertThat(received.poll(20, TimeUnit.SECONDS)).isEqualTo("echo hello");
        Gateway.await(socket.close());
    }

    private static TestGateway withOneConnection() {
        return TestGateway.start(upstream.url(), "event-loops", "1", "upstream-connections", "1");
    }

    private static Socket askForAnUpgrade(TestGateway to, String path) throws IOException {
        Socket socket = new Socket("127.0.0.1", to.gateway.port());
        socket.setSoTimeout(20_000);
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\n"
                + "Upgrade: other\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private static String answer(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void takesItsConnectionBackWhenAnUpgradeIsRefused() throws IOException {
        try (TestGateway narrow = withOneConnection()) {
            try (Socket socket = askForAnUpgrade(narrow, "/status/404")) {
                assertThat(answer(socket)).startsWith("HTTP/1.1 404").endsWith("status 404");
            }
            try (Socket socket = askForAnUpgrade(narrow, "/big?bytes=" + (5 << 20))) {
                assertThat(answer(socket)).startsWith("HTTP/1.1 200").hasSizeGreaterThan(5 << 20);
            }
            assertThat(narrow.post("/charges", "after-refusals", "{}").statusCode())
                    .isEqualTo(201);
        }
    }

    @Test
    void takesItsConnectionBackWhenTheClientLeavesBeforeAnUpgrade() throws Exception {
        try (TestGateway narrow = withOneConnection()) {
            int waiting = upstream.waiting();
            try (Socket socket = askForAnUpgrade(narrow, "/hold")) {
                await().until(() -> upstream.waiting() > waiting);
            }
            assertThat(narrow.post("/charges", "after-leaving", "{}").statusCode())
                    .isEqualTo(201);
        }
    }

    @Test
    void doesNotWaitForeverForAnUpgrade() throws IOException {
        try (TestGateway impatient = TestGateway.start(upstream.url(), "timeout", "300ms");
                Socket socket = askForAnUpgrade(impatient, "/hold")) {
            assertThat(answer(socket)).startsWith("HTTP/1.1 504");
        }
    }

    @Test
    void passesARequestWithABodyOnWithoutItsUpgrade() throws IOException {
        String response = raw("""
                POST /echo HTTP/1.1
                Host: localhost
                Content-Length: 5
                Connection: Upgrade, close
                Upgrade: other

                hello""");

        assertThat(response).startsWith("HTTP/1.1 200").contains("\"body\":\"hello\"");
    }

    @Test
    void passesAnUpgradeToAnHttp2UpstreamAsAnOrdinaryRequest() throws IOException {
        try (TestGateway second = TestGateway.start(upstream.url(), "upstream-http2", "true");
                Socket socket = askForAnUpgrade(second, "/echo")) {
            assertThat(answer(socket)).startsWith("HTTP/1.1 200");
        }
    }

    /** Java's own client would go over to HTTP/2 with its first request, and then break when a large answer follows at once. */
    @Test
    void staysWithHttp11WithoutTls() throws Exception {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.gateway.port() + "/echo"))
                                .build(),
                        BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(response.body()).contains("\"via\":\"1.1 semel\"");
    }

    @Test
    void speaksHttp2ToAnUpstreamThatDoes() {
        try (TestGateway second = TestGateway.start(upstream.url(), "upstream-http2", "true")) {
            assertThat(second.post("/charges", "h2-upstream", "{}").statusCode())
                    .isEqualTo(201);
            assertThat(second.get("/echo").statusCode()).isEqualTo(200);
        }
    }
}
