package dev.semel.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.gateway.RawHttp2;
import dev.semel.gateway.TestCertificate;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A request that cannot be written to the service is refused, and harms nobody else's. */
class PoisonedConnectionsTest {

    private static final int ATTACKS = 10;
    private static final int VICTIMS = 10;

    @TempDir
    static Path directory;

    private static TestCertificate made;

    @BeforeAll
    static void makeACertificate() throws Exception {
        made = TestCertificate.in(directory);
    }

    @ParameterizedTest
    @CsvSource({
        ":path, /charges x, GET",
        ":path, /charges x, POST",
        ":path, '/charges HTTP/1.1', POST",
        ":path, '/charges\t', POST",
        ":path, -internal/x, POST",
        ":path, /charges#x, POST",
        ":method, PO ST, POST",
        ":authority, shop example, POST",
        ":authority, 'shop.example/x', POST",
        "x y, 1, GET",
        "x y, 1, POST",
        "x-y, 'a\u000bb', POST",
    })
    void aRequestThatHttp1CannotSayIsRefusedAndNoConnectionSuffers(String name, String value, String method)
            throws Exception {
        try (TestUpstream upstream = new TestUpstream();
                TestGateway gateway = TestGateway.start(
                        upstream.url(),
                        "tls-cert",
                        made.certificate(),
                        "tls-key",
                        made.key(),
                        "timeout",
                        "3s",
                        "event-loops",
                        "1",
                        "upstream-connections",
                        "2")) {
            RawHttp2 attacker = new RawHttp2(made.trust(), gateway.gateway.port());
            for (int i = 0; i < ATTACKS; i++) {
                attacker.send(
                        ":method",
                        name.equals(":method") ? value : method,
                        ":scheme",
                        "https",
                        ":authority",
                        name.equals(":authority") ? value : "shop.example",
                        ":path",
                        name.equals(":path") ? value : "/charges",
                        "idempotency-key",
                        "poison-" + i,
                        name.startsWith(":") ? "x" : name,
                        name.startsWith(":") ? "y" : value);
                String answer = attacker.answer();
                assertThat(answer).isIn("400", "reset", "gone away", "closed");
                if (!answer.equals("400")) {
                    attacker.close();
                    attacker = new RawHttp2(made.trust(), gateway.gateway.port());
                }
            }
            attacker.close();
            HttpClient client = HttpClient.newBuilder().sslContext(made.trust()).build();
            for (int i = 0; i < VICTIMS; i++) {
                HttpResponse<String> response = charge(client, gateway, "victim-" + i);
                assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
            }
            assertThat(upstream.allEffects()).isEqualTo(VICTIMS);
            HttpResponse<String> free = charge(client, gateway, "poison-0");
            assertThat(free.statusCode()).as(free.body()).isEqualTo(201);
        }
    }

    private static HttpResponse<String> charge(HttpClient client, TestGateway gateway, String key) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("https://localhost:" + gateway.gateway.port() + "/charges"))
                        .header("Idempotency-Key", key)
                        .POST(BodyPublishers.ofString("{}"))
                        .build(),
                BodyHandlers.ofString());
    }
}
