package dev.semel.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A connection of its own is as careful as those of an HTTP client. */
class TrialSenderTest {

    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final byte[] SECRET =
            "POST / HTTP/1.1\r\nAuthorization: s3cret\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @Test
    void sendsNothingToAServerWithACertificateForAnotherName(@TempDir Path directory) throws Exception {
        SSLContext before = SSLContext.getDefault();
        SSLContext context = certificateFor("shop.example", directory);
        SSLContext.setDefault(context);
        try (ServerSocket server =
                context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> firstByte(server));

            assertThatThrownBy(() -> abandon("https://localhost:" + server.getLocalPort() + "/"))
                    .isInstanceOf(CannotRunException.class)
                    .hasMessageContaining("localhost");
            assertThat(first.join()).isEqualTo(-1);
        } finally {
            SSLContext.setDefault(before);
        }
    }

    @Test
    @Timeout(30)
    void givesUpOnAServerThatDoesNotAnswerTheHandshake() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> abandon("https://localhost:" + silent.getLocalPort() + "/"))
                    .isInstanceOf(CannotRunException.class);
        }
    }

    private static void abandon(String uri) throws InterruptedException {
        new TrialSender(Duration.ofSeconds(2), 1).abandon(URI.create(uri), SECRET, Duration.ZERO);
    }

    /** What arrives first; -1 if the other side ends the connection before. */
    private static int firstByte(ServerSocket server) {
        try (Socket socket = server.accept()) {
            return socket.getInputStream().read();
        } catch (IOException refused) {
            return -1;
        }
    }

    /** Has the certificate, and trusts it. */
    private static SSLContext certificateFor(String name, Path directory) throws Exception {
        Path file = directory.resolve("server.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
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
                        "CN=" + name,
                        "-ext",
                        "san=dns:" + name)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance(file.toFile(), PASSWORD);
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
