package dev.semel.gateway.framing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.gateway.RawHttp2;
import dev.semel.gateway.ScriptedUpstream;
import dev.semel.gateway.TestCertificate;
import dev.semel.gateway.TestGateway;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpVersion;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of HTTP/2, the length of a body stands in a header and in its frames: where they differ, the upstream gets nothing. */
class Http2LengthTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"POST, k", "POST,", "PUT,", "GET,"})
    void aBodyShorterThanItsLengthTakesNothingOfTheNextRequest(String method, String key) throws Exception {
        TestCertificate made = TestCertificate.in(directory);
        try (ScriptedUpstream upstream = new ScriptedUpstream(
                        (request, turn) -> "HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\ngood");
                TestGateway gateway = TestGateway.start(
                        upstream.url(),
                        "tls-cert",
                        made.certificate(),
                        "tls-key",
                        made.key(),
                        "event-loops",
                        "1",
                        "upstream-connections",
                        "1");
                RawHttp2 attacker = new RawHttp2(made.trust(), gateway.gateway.port())) {
            attacker.send(
                    ":method",
                    method,
                    ":scheme",
                    "https",
                    ":authority",
                    "shop.example",
                    ":path",
                    "/attack",
                    "content-length",
                    "50",
                    key == null ? "x-none" : "idempotency-key",
                    key == null ? "x" : key);

            assertThat(attacker.answer()).isIn("400", "reset");

            HttpClient victim = HttpClient.newBuilder().sslContext(made.trust()).build();
            HttpResponse<String> answer = victim.send(
                    HttpRequest.newBuilder(URI.create("https://localhost:" + gateway.gateway.port() + "/victim"))
                            .header("Idempotency-Key", "victim")
                            .POST(BodyPublishers.ofString("{}"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(answer.body()).isEqualTo("good");
            assertThat(upstream.requests).singleElement().asString().startsWith("POST /victim ");
        }
    }

    @Test
    void aBodyIsCountedAgainstItsLength() {
        MultiMap five = MultiMap.caseInsensitiveMultiMap().add("Content-Length", "5");
        DeclaredLength length = DeclaredLength.of(five, HttpVersion.HTTP_2);
        length.add(3);
        assertThatThrownBy(length::end).hasMessageContaining("3 bytes");
        length.add(2);
        length.end();
        assertThatThrownBy(() -> length.add(1)).hasMessageContaining("longer");
    }

    @Test
    void onlyBeforeHttp2DoesTheLastByteEndAMessage() {
        MultiMap five = MultiMap.caseInsensitiveMultiMap().add("Content-Length", "5");
        DeclaredLength older = DeclaredLength.of(five, HttpVersion.HTTP_1_1);
        older.add(4);
        assertThat(older.endsMessage()).isFalse();
        older.add(1);
        assertThat(older.endsMessage()).isTrue();

        DeclaredLength newer = DeclaredLength.of(five, HttpVersion.HTTP_2);
        newer.add(5);
        assertThat(newer.endsMessage()).isFalse();
    }
}
