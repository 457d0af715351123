package dev.semel.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.gateway.RawHttp;
import dev.semel.gateway.RawHttp2;
import dev.semel.gateway.TestCertificate;
import dev.semel.gateway.TestGateway;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A key does not get the response to a request that the service would have read differently. */
class RequestIdentityTest {

    private RawHttp.Upstream upstream;

    @BeforeEach
    void start() throws IOException {
        upstream = new RawHttp.Upstream();
    }

    @AfterEach
    void stop() throws IOException {
        upstream.close();
    }

    private static String send(TestGateway gateway, String... headers) throws IOException {
        String[] all = new String[headers.length + 1];
        all[0] = "Idempotency-Key: k";
        System.arraycopy(headers, 0, all, 1, headers.length);
        return RawHttp.exchange(gateway.gateway.port(), RawHttp.request("POST", "/charges", all));
    }

    @Test
    void theSameKeyAtAnotherHostDoesNotGetTheFirstHostsResponse() throws IOException {
        try (TestGateway gateway = TestGateway.start(upstream.url(), "preserve-host", "true")) {
            assertThat(send(gateway, "Host: shop.example")).startsWith("HTTP/1.1 201 ");

            assertThat(send(gateway, "Host: other.example"))
                    .startsWith("HTTP/1.1 422 ")
                    .doesNotContainIgnoringCase("replayed");
            assertThat(send(gateway, "Host: Shop.Example"))
                    .startsWith("HTTP/1.1 201 ")
                    .containsIgnoringCase("Idempotent-Replayed: true");
            assertThat(upstream.heads).hasSize(1);
        }
    }

    @Test
    void theSameKeyAtAnotherAuthorityOfHttp2DoesNotGetTheFirstOnesResponse(@TempDir Path directory) throws Exception {
        TestCertificate made = TestCertificate.in(directory);
        try (TestGateway gateway = TestGateway.start(
                        upstream.url(),
                        "preserve-host",
                        "true",
                        "tls-cert",
                        made.certificate(),
                        "tls-key",
                        made.key());
                RawHttp2 client = new RawHttp2(made.trust(), gateway.gateway.port())) {
            assertThat(charge(client, "shop.example")).isEqualTo("201");
            assertThat(charge(client, "other.example")).isEqualTo("422");
            assertThat(charge(client, "shop.example")).isEqualTo("201");
            assertThat(upstream.heads).hasSize(1);
        }
    }

    private static String charge(RawHttp2 client, String authority) throws IOException {
        client.send(
                ":method",
                "POST",
                ":scheme",
                "https",
                ":authority",
                authority,
                ":path",
                "/charges",
                "idempotency-key",
                "k");
        return client.answer();
    }

    @Test
    void theHostDoesNotMatterWhereTheServiceDoesNotGetIt() throws IOException {
        try (TestGateway gateway = TestGateway.start(upstream.url())) {
            assertThat(send(gateway, "Host: shop.example")).startsWith("HTTP/1.1 201 ");

            assertThat(send(gateway, "Host: www.shop.example"))
                    .startsWith("HTTP/1.1 201 ")
                    .containsIgnoringCase("Idempotent-Replayed: true");
        }
    }

    @Test
    void theSameBytesInAnotherEncodingAreAnotherRequest() throws IOException {
        try (TestGateway gateway = TestGateway.start(upstream.url())) {
            assertThat(send(gateway, "Content-Type: application/json")).startsWith("HTTP/1.1 201 ");

            assertThat(send(gateway, "Content-Type: application/json", "Content-Encoding: gzip"))
                    .startsWith("HTTP/1.1 422 ");
            assertThat(send(gateway, "Content-Type: application/json", "Content-Encoding: identity"))
                    .startsWith("HTTP/1.1 201 ");
            assertThat(upstream.heads).hasSize(1);
        }
    }

    @Test
    void twoContentTypesAreRefused() throws IOException {
        try (TestGateway gateway = TestGateway.start(upstream.url())) {
            assertThat(send(gateway, "Content-Type: application/json", "Content-Type: text/plain"))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("one content type");
            assertThat(upstream.heads).isEmpty();
            assertThat(send(gateway, "Content-Type: application/json")).startsWith("HTTP/1.1 201 ");
        }
    }
}
