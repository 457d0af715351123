package dev.semel.gateway.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import dev.semel.gateway.config.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An issuer that publishes its keys, and replaces them. */
class FetchedJwtKeysTest {

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();
    private volatile String published;
    private HttpServer issuer;

    @BeforeEach
    void start() throws IOException {
        issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer.createContext("/", exchange -> {
            asked.incrementAndGet();
            byte[] body = published.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(published.startsWith("{") ? 200 : 500, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        issuer.start();
    }

    @AfterEach
    void stop() {
        issuer.stop(0);
    }

    private String url() {
        return "http://127.0.0.1:" + issuer.getAddress().getPort() + "/jwks.json";
    }

    private static ECKey key(String id) throws JOSEException {
        return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    }

    private void publish(ECKey... keys) {
        published = new JWKSet(List.of(keys)).toString();
    }

    private static String token(ECKey key) throws JOSEException {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(),
                new JWTClaimsSet.Builder()
                        .subject("alice")
                        .expirationTime(Date.from(Instant.now().plus(Duration.ofMinutes(5))))
                        .build());
        token.sign(new ECDSASigner(key));
        return "Bearer " + token.serialize();
    }

    private static int charge(TestGateway gateway, String key, String token) {
        return gateway.post("/charges", key, "{}", "Authorization", token).statusCode();
    }

    @Test
    void aCallerIsKnownByAKeyThatTheIssuerHasJustPublished() throws Exception {
        ECKey first = key("first");
        ECKey second = key("second");
        ECKey stranger = key("stranger");
        publish(first);
        try (TestUpstream upstream = new TestUpstream();
                TestGateway gateway = TestGateway.start(upstream.url(), "scope", "jwt:sub", "jwt-key", url())) {
            assertThat(charge(gateway, "k1", token(first))).isEqualTo(201);
            assertThat(asked).hasValue(1);

            publish(second);

            assertThat(charge(gateway, "k2", token(second))).isEqualTo(201);
            assertThat(upstream.effects("k2")).isEqualTo(1);
            assertThat(charge(gateway, "k1", token(first)))
                    .as("the issuer has withdrawn it")
                    .isEqualTo(403);
            // However many of these come, the issuer is left alone for a while.
            assertThat(charge(gateway, "k3", token(stranger))).isEqualTo(403);
            assertThat(charge(gateway, "k3", token(stranger))).isEqualTo(403);
            assertThat(asked).hasValue(2);
        }
    }

    @Test
    void oldKeysAreFetchedAgainAndStayWhileTheIssuerIsDown() throws Exception {
        ECKey first = key("first");
        publish(first);
        FetchedJwtKeys<JWKSet> keys = FetchedJwtKeys.of(URI.create(url()), set -> set, nanos::get);
        assertThat(keys.preparation("first")).isNull();

        published = "down";
        nanos.addAndGet(FetchedJwtKeys.TOO_OLD.toNanos() + 1);
        CompletionStage<?> failing = keys.preparation("first");

        assertThat(failing).isNotNull();
        failing.toCompletableFuture().join();
        assertThat(keys.made().getKeyByKeyId("first")).isNotNull();
        assertThat(keys.preparation("first")).as("it was asked just now").isNull();

        publish(key("second"));
        nanos.addAndGet(FetchedJwtKeys.PAUSE.toNanos());
        keys.preparation("first").toCompletableFuture().join();
        assertThat(keys.made().getKeys()).extracting(key -> key.getKeyID()).containsExactly("second");
    }

    @Test
    void keysThatAreOnlyOldDelayNoOne() throws Exception {
        publish(key("first"));
        FetchedJwtKeys<JWKSet> keys = FetchedJwtKeys.of(URI.create(url()), set -> set, nanos::get);

        nanos.addAndGet(FetchedJwtKeys.OLD.toNanos() + 1);

        assertThat(keys.preparation("first")).isNull();
        CompletionStage<?> running = keys.preparation("unheard of");
        if (running != null) {
            running.toCompletableFuture().join();
        }
        assertThat(asked).hasValue(2);
    }

    @Test
    void doesNotStartWithoutKeysOrWithAnAddressThatOthersCanAnswerFor() {
        published = "down";
        assertThatThrownBy(() -> TestGateway.start("http://127.0.0.1:1", "scope", "jwt:sub", "jwt-key", url()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cannot fetch keys")
                .hasMessageContaining("status 500");
        assertThatThrownBy(() -> TestGateway.config(
                        "http://127.0.0.1:1", "scope", "jwt:sub", "jwt-key", "http://192.0.2.1/keys"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("expected an https URL");
    }
}
