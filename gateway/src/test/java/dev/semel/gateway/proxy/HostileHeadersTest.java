package dev.semel.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.gateway.RawHttp;
import dev.semel.gateway.TestGateway;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client cannot make the service believe what the gateway does not, by headers, methods or hosts. */
class HostileHeadersTest {

    private RawHttp.Upstream upstream;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = new RawHttp.Upstream();
        gateway = start(upstream, "scope", "header:X-User");
    }

    private static TestGateway start(RawHttp.Upstream upstream, String... options) {
        return TestGateway.start(upstream.url(), options);
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        upstream.close();
    }

    private String send(String method, String... headers) throws IOException {
        return RawHttp.exchange(gateway.gateway.port(), RawHttp.request(method, "/charges", headers));
    }

    private String forwarded() {
        assertThat(upstream.heads).hasSize(1);
        return upstream.heads.get(0).toLowerCase(Locale.ROOT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-User",
                "x-user",
                "Authorization",
                "Idempotency-Key",
                "close, X-User",
                "keep-alive,Content-Type",
                "Content-Length"
            })
    void aConnectionHeaderDoesNotRemoveWhatTheGatewayUses(String options) throws IOException {
        String answer = send(
                "POST",
                "Connection: " + options,
                "X-User: alice",
                "Authorization: Bearer a",
                "Content-Type: application/json",
                "Idempotency-Key: k");

        assertThat(answer).startsWith("HTTP/1.1 400 ");
        assertThat(upstream.heads).isEmpty();
    }

    @Test
    void theGatewayUsesNoKeyThatTheServiceDoesNotGet() throws IOException {
        gateway.close();
        gateway = start(upstream, "key-header", "X-Key", "require-key", "true");

        assertThat(send("POST", "Connection: X-Key", "X-Key: k"))
                .startsWith("HTTP/1.1 400 ")
                .contains("key-missing");
        assertThat(upstream.heads).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "keep-alive", "Keep-Alive, X-Absent", "TE, close"})
    void aConnectionHeaderMaySayWhatConcernsTheConnection(String options) throws IOException {
        assertThat(send("POST", "Connection: " + options, "TE: trailers", "Keep-Alive: timeout=5", "X-User: alice"))
                .startsWith("HTTP/1.1 201 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Semel-Attempt",
                "Semel_Attempt",
                "SEMEL_FENCING_TOKEN",
                "X-Real-IP",
                "X_Real_IP",
                "X-Forwarded-Prefix",
                "X-Forwarded-Port",
                "X_Forwarded_For",
                "X-Original-URL",
                "X-Rewrite-URL",
                "Forwarded",
                "Proxy",
                "X_User",
                "Idempotency_Key",
                "Content_Length",
                "Transfer_Encoding"
            })
    void aHeaderThatWouldBeBelievedIsNotPassedOn(String name) throws IOException {
        assertThat(send("POST", name + ": forged", "X-User: alice", "Idempotency-Key: k"))
                .startsWith("HTTP/1.1 201 ");

        assertThat(forwarded()).doesNotContain("forged").contains("x-user: alice");
    }

    @Test
    void otherHeadersPassWithUnderscoresToo() throws IOException {
        send("POST", "X_Tenant: 7", "X-User: alice");

        assertThat(forwarded()).contains("x_tenant: 7");
    }

    @Test
    void whatATrustedProxyAppendedIsKept() throws IOException {
        gateway.close();
        gateway = start(upstream, "trust-forwarded", "true");
        send(
                "POST",
                "X-Forwarded-For: 6.6.6.6",
                "X-Forwarded-For: 10.1.1.1",
                "X-Forwarded-Proto: ftp",
                "X-Forwarded-Proto: https",
                "X-Real-IP: 10.1.1.1");

        assertThat(forwarded())
                .contains("x-forwarded-for: 6.6.6.6, 10.1.1.1, 127.0.0.1\r\n")
                .contains("x-forwarded-proto: https\r\n")
                .contains("x-real-ip: 10.1.1.1\r\n")
                .doesNotContain("ftp");
    }

    @ParameterizedTest
    @ValueSource(strings = {"post", "Post", "pOST", "patch", "get"})
    void aMethodThatIsNotInUpperCaseIsRefused(String method) throws IOException {
        assertThat(send(method, "X-User: alice", "Idempotency-Key: k")).startsWith("HTTP/1.1 400 ");
        assertThat(upstream.heads).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, X-HTTP-Method-Override: POST",
        "PUT, X-HTTP-Method-Override: post",
        "GET, X-HTTP-Method: PATCH",
        "GET, X-Method-Override: POST",
        "GET, X_HTTP_Method_Override: POST",
    })
    void anOverrideDoesNotLeadAroundTheMethodsThatAreGuarded(String method, String header) throws IOException {
        assertThat(send(method, header, "X-User: alice")).startsWith("HTTP/1.1 400 ");
        assertThat(upstream.heads).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"POST, X-HTTP-Method-Override: PATCH", "POST, X-HTTP-Method-Override: PUT", "PUT, X-HTTP-Method: DELETE"
    })
    void anOverrideThatChangesNothingForTheGatewayPasses(String method, String header) throws IOException {
        assertThat(send(method, header, "X-User: alice", "Idempotency-Key: k")).startsWith("HTTP/1.1 201 ");
    }

    @Test
    void oneHostIsNamed() throws IOException {
        assertThat(send("POST", "Host: shop.example", "Host: other.example")).startsWith("HTTP/1.1 400 ");
        assertThat(send("POST", "Host: ")).startsWith("HTTP/1.1 400 ");
        assertThat(send("POST", "Host: shop.example/x")).startsWith("HTTP/1.1 400 ");
        assertThat(send("POST", "Host: a@shop.example")).startsWith("HTTP/1.1 400 ");
        assertThat(RawHttp.exchange(
                        gateway.gateway.port(),
                        "POST /charges HTTP/1.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(upstream.heads).isEmpty();
        assertThat(send("POST", "Host: [::1]:8080", "X-User: alice")).startsWith("HTTP/1.1 201 ");
    }
}
