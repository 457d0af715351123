package dev.semel.gateway.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.gateway.RawHttp;
import dev.semel.gateway.TestGateway;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a proxy in front writes is believed of the configured proxies, and of nobody else who reaches the port. */
class TrustedProxiesTest {

    private static final String PROXY = "127.0.0.2";
    private static final String STRANGER = "127.0.0.3";

    private RawHttp.Upstream upstream;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = new RawHttp.Upstream();
        gateway = TestGateway.start(
                upstream.url(),
                "scope",
                "header:X-User",
                "trust-forwarded",
                "true",
                "trusted-proxies",
                "2001:db8::/32, " + PROXY + "/32");
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        upstream.close();
    }

    private String send(String from, String method, String... headers) throws IOException {
        return RawHttp.exchange(from, gateway.gateway.port(), RawHttp.request(method, "/charges", headers));
    }

    private String forwarded() {
        assertThat(upstream.heads).hasSize(1);
        return upstream.heads.get(0).toLowerCase(Locale.ROOT);
    }

    @Test
    void aTrustedProxySaysWhoTheCallerIs() throws IOException {
        assertThat(send(PROXY, "POST", "X-User: alice", "Idempotency-Key: k")).startsWith("HTTP/1.1 201 ");

        assertThat(forwarded()).contains("x-user: alice\r\n");
    }

    @Test
    void aStrangerIsNoCallerWhateverItsHeaderSays() throws IOException {
        assertThat(send(STRANGER, "POST", "X-User: alice", "Idempotency-Key: k"))
                .startsWith("HTTP/1.1 403 ")
                .contains("caller-unknown");
        assertThat(upstream.heads).isEmpty();
    }

    @Test
    void aStrangerDoesNotGetTheResponseOfTheCallerThatItNames() throws IOException {
        assertThat(send(PROXY, "POST", "X-User: alice", "Idempotency-Key: k")).startsWith("HTTP/1.1 201 ");

        assertThat(send(STRANGER, "POST", "X-User: alice", "Idempotency-Key: k"))
                .startsWith("HTTP/1.1 403 ")
                .doesNotContainIgnoringCase("replayed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-User: alice", "X_User: alice", "x-USER: alice"})
    void theServiceDoesNotGetACallerThatAStrangerNames(String header) throws IOException {
        assertThat(send(STRANGER, "GET", header)).startsWith("HTTP/1.1 201 ");

        assertThat(forwarded()).doesNotContain("alice");
    }

    @Test
    void aCallerThatIsSpelledWithUnderscoresIsNotPassedOn() throws IOException {
        assertThat(send(PROXY, "GET", "X_User: alice")).startsWith("HTTP/1.1 201 ");

        assertThat(forwarded()).doesNotContain("alice");
    }

    @Test
    void theForwardedHeadersOfAProxyAreExtended() throws IOException {
        send(PROXY, "POST", "X-Forwarded-For: 198.51.100.7", "X-Forwarded-Proto: https", "X-Real-IP: 198.51.100.7");

        assertThat(forwarded())
                .contains("x-forwarded-for: 198.51.100.7, 127.0.0.2\r\n")
                .contains("x-forwarded-proto: https\r\n")
                .contains("x-real-ip: 198.51.100.7\r\n");
    }

    @Test
    void theForwardedHeadersOfAStrangerAreDropped() throws IOException {
        send(
                STRANGER,
                "POST",
                "X-Forwarded-For: 198.51.100.7",
                "X_Forwarded_For: 198.51.100.7",
                "X-Forwarded-Proto: https",
                "X-Forwarded-Host: admin.example",
                "X-Forwarded-Prefix: /x",
                "Forwarded: for=198.51.100.7",
                "X-Real-IP: 198.51.100.7",
                "X-Original-URL: /admin");

        assertThat(forwarded())
                .contains("x-forwarded-for: 127.0.0.3\r\n")
                .contains("x-forwarded-proto: http\r\n")
                .contains("x-forwarded-host: shop.example\r\n")
                .doesNotContain("198.51.100.7", "admin", "x-forwarded-prefix", "https");
    }
}
