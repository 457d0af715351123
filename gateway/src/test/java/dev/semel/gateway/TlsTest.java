package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {

    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    static Path directory;

    private static KeyStore keyStore;
    private static String certificate;
    private static String key;

    @BeforeAll
    static void makeACertificate() throws IOException, GeneralSecurityException, InterruptedException {
        Path file = directory.resolve("server.p12");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1");
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
        keyStore = KeyStore.getInstance(file.toFile(), PASSWORD);
        certificate = pem("CERTIFICATE", keyStore.getCertificate("server").getEncoded());
        Key secret = keyStore.getKey("server", PASSWORD);
        key = pem("PRIVATE KEY", secret.getEncoded());
    }

    private static String pem(String type, byte[] der) throws IOException {
        String text = "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END "
                + type + "-----\n";
        return Files.writeString(directory.resolve(type.replace(' ', '-') + ".pem"), text)
                .toString();
    }

    private static HttpClient trusting(HttpClient.Version version) throws GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        try {
            trusted.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
        trusted.setCertificateEntry("server", keyStore.getCertificate("server"));
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).version(version).build();
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
