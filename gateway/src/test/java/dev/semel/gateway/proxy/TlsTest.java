package dev.semel.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.gateway.TestCertificate;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {

    @TempDir
    static Path directory;

    private static TestCertificate made;
    private static String certificate;
    private static String key;

    @BeforeAll
    static void makeACertificate() throws Exception {
        made = TestCertificate.in(directory);
        certificate = made.certificate();
        key = made.key();
    }

    private static HttpClient trusting(HttpClient.Version version) throws Exception {
        return HttpClient.newBuilder().sslContext(made.trust()).version(version).build();
    }

    @Test
    void speaksBothVersionsOverTls() throws Exception {
        try (TestUpstream upstream = new TestUpstream();
                TestGateway gateway = TestGateway.start(upstream.url(), "tls-cert", certificate, "tls-key", key)) {
            for (HttpClient.Version version : HttpClient.Version.values()) {
                HttpResponse<String> response = trusting(version)
                        .send(
                                HttpRequest.newBuilder(
                                                URI.create("https://localhost:" + gateway.gateway.port() + "/echo"))
                                        .build(),
                                BodyHandlers.ofString());

                assertThat(response.version()).isEqualTo(version);
                assertThat(response.body())
                        .contains("\"x-forwarded-proto\":\"https\"")
                        .contains("\"via\":\"" + (version == HttpClient.Version.HTTP_2 ? "2.0" : "1.1") + " semel\"");
            }
        }
    }

    @Test
    void showsACertificateThatHasBeenRenewed(@TempDir Path renewed) throws Exception {
        try (TestUpstream upstream = new TestUpstream();
                TestGateway gateway = TestGateway.start(upstream.url(), "tls-cert", certificate, "tls-key", key)) {
            TestCertificate next = TestCertificate.in(renewed);
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("https://localhost:" + gateway.gateway.port() + "/echo"))
                    .build();
            HttpClient client = HttpClient.newBuilder()
                    .sslContext(next.trust())
                    .version(HttpClient.Version.HTTP_2)
                    .build();
            assertThatThrownBy(() -> client.send(request, BodyHandlers.ofString()))
                    .isInstanceOf(SSLException.class);

            gateway.gateway.reload(
                    TestGateway.config(upstream.url(), "tls-cert", next.certificate(), "tls-key", next.key()));

            assertThat(client.send(request, BodyHandlers.ofString()).version()).isEqualTo(HttpClient.Version.HTTP_2);
        }
    }

    @Test
    void protectsRequestsOverHttp2() throws Exception {
        try (TestUpstream upstream = new TestUpstream();
                TestGateway gateway = TestGateway.start(upstream.url(), "tls-cert", certificate, "tls-key", key)) {
            HttpRequest charge = HttpRequest.newBuilder(
                            URI.create("https://localhost:" + gateway.gateway.port() + "/charges"))
                    .header("Idempotency-Key", "h2")
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                    .build();
            HttpClient client = trusting(HttpClient.Version.HTTP_2);
            HttpResponse<String> first = client.send(charge, BodyHandlers.ofString());
            HttpResponse<String> second = client.send(charge, BodyHandlers.ofString());

            assertThat(second.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(second.body()).isEqualTo(first.body()).contains("\"run\":1");
            assertThat(upstream.effects("h2")).isEqualTo(1);
        }
    }

    /** Vert.x itself closes a connection whose handshake takes more than ten seconds, which is later. */
    @Test
    void aSecondConnectionOfAClientDoesNotKeepAnIdleOneOpen() throws Exception {
        try (TestGateway gateway = TestGateway.start(
                        "http://127.0.0.1:1", "tls-cert", certificate, "tls-key", key, "idle-timeout", "500ms");
                Socket silent = connect(0, gateway.gateway.port());
                Socket other = connect(silent.getLocalPort(), gateway.gateway.adminPort())) {
            assertThat(other.getLocalPort()).isEqualTo(silent.getLocalPort());
            silent.setSoTimeout(8_000);

            assertThat(silent.getInputStream().read()).isEqualTo(-1);
        }
    }

    private static Socket connect(int localPort, int port) throws IOException {
        Socket socket = new Socket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress("127.0.0.1", localPort));
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        return socket;
    }

    @Test
    void verifiesTheCertificateOfTheUpstream() {
        HttpServerOptions tls = new HttpServerOptions()
                .setSsl(true)
                .setKeyCertOptions(
                        new PemKeyCertOptions().addCertPath(certificate).addKeyPath(key));
        try (TestUpstream upstream = new TestUpstream(tls)) {
            String url = upstream.url().replace("http:", "https:");
            try (TestGateway trusting = TestGateway.start(url, "upstream-ca", certificate)) {
                assertThat(trusting.post("/charges", "tls", "{}").statusCode()).isEqualTo(201);
            }
            try (TestGateway wary = TestGateway.start(url)) {
                HttpResponse<String> response = wary.post("/charges", "untrusted", "{}");
                assertThat(response.statusCode()).isEqualTo(502);
                assertThat(response.body()).contains("\"outcome\":\"not-applied\"");
            }
            assertThat(upstream.effects("untrusted")).isZero();
        }
    }
}
