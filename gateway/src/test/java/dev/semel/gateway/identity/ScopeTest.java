package dev.semel.gateway.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import dev.semel.gateway.config.ConfigException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScopeTest {

    private static TestUpstream upstream;
    private static KeyPair keys;

    @TempDir
    static Path directory;

    private static Path pem;

    @BeforeAll
    static void start() throws GeneralSecurityException, IOException {
        upstream = new TestUpstream();
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        keys = generator.generateKeyPair();
        pem = Files.writeString(
                directory.resolve("key.pem"),
                "-----BEGIN PUBLIC KEY-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(keys.getPublic().getEncoded())
                        + "\n-----END PUBLIC KEY-----\n");
    }

    @AfterAll
    static void stop() {
        upstream.close();
    }

    private static String token(JWSAlgorithm algorithm, JWSSigner signer, String subject, Duration life)
            throws JOSEException {
        return token(new JWSHeader(algorithm), signer, subject, life);
    }

    private static String token(JWSHeader header, JWSSigner signer, String subject, Duration life)
            throws JOSEException {
        SignedJWT token = new SignedJWT(
                header,
                new JWTClaimsSet.Builder()
                        .subject(subject)
                        .audience("orders")
                        .expirationTime(Date.from(Instant.now().plus(life)))
                        .build());
        token.sign(signer);
        return token.serialize();
    }

    private static String token(String subject, Duration life) throws JOSEException {
        return token(JWSAlgorithm.RS256, new RSASSASigner(keys.getPrivate()), subject, life);
    }

    private static boolean isReplay(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        return response.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    private static void assertRefused(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("urn:semel:problem:caller-unknown");
    }

    @Test
    void takesTheCallerFromAHeader() {
        try (TestGateway gateway = TestGateway.start(upstream.url(), "scope", "header:X-User")) {
            assertThat(isReplay(gateway.post("/charges", "header", "{}", "X-User", "alice")))
                    .isFalse();
            assertThat(isReplay(gateway.post("/charges", "header", "{}", "X-User", "alice")))
                    .isTrue();
            assertThat(isReplay(gateway.post("/charges", "header", "{}", "X-User", "bob")))
                    .isFalse();
            assertRefused(gateway.post("/charges", "header", "{}"));
            assertRefused(gateway.post("/charges", "header", "{}", "X-User", "bob", "X-User", "alice"));
        }
    }

    @Test
    void takesTheCallerFromAVerifiedToken() throws Exception {
        try (TestGateway gateway = TestGateway.start(upstream.url(), "scope", "jwt:sub", "jwt-key", pem.toString())) {
            String alice = "Bearer " + token("alice", Duration.ofMinutes(5));
            String refreshed = "Bearer " + token("alice", Duration.ofMinutes(10));
            String bob = "Bearer " + token("bob", Duration.ofMinutes(5));

            assertThat(isReplay(gateway.post("/charges", "jwt", "{}", "Authorization", alice)))
                    .isFalse();
            assertThat(isReplay(gateway.post("/charges", "jwt", "{}", "Authorization", refreshed)))
                    .isTrue();
            assertThat(isReplay(gateway.post("/charges", "jwt", "{}", "Authorization", bob)))
                    .isFalse();
        }
    }

    @Test
    void refusesTokensThatProveNothing() throws Exception {
        try (TestGateway gateway = TestGateway.start(upstream.url(), "scope", "jwt:sub", "jwt-key", pem.toString())) {
            KeyPair other = KeyPairGenerator.getInstance("RSA").generateKeyPair();
            String expired = token("alice", Duration.ofMinutes(-5));
            String forged =
                    token(JWSAlgorithm.RS256, new RSASSASigner(other.getPrivate()), "alice", Duration.ofMinutes(5));
            // The public key, which everybody has, used as the secret of a symmetric algorithm.
            String confused =
                    token(JWSAlgorithm.HS256, new MACSigner(Files.readAllBytes(pem)), "alice", Duration.ofMinutes(5));
            String[] parts = token("alice", Duration.ofMinutes(5)).split("\\.");
            String unsigned = Base64.getUrlEncoder()
                            .withoutPadding()
                            .encodeToString("{\"alg\":\"none\"}".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                    + "." + parts[1] + ".";

            for (String token : new String[] {expired, forged, confused, unsigned, "nonsense", ""}) {
                assertRefused(gateway.post("/charges", "no-proof", "{}", "Authorization", "Bearer " + token));
            }
            assertRefused(gateway.post("/charges", "no-proof", "{}"));
            assertThat(upstream.effects("no-proof")).isZero();
        }
    }

    private static String typed(String type) throws JOSEException {
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256)
                .type(new JOSEObjectType(type))
                .build();
        return "Bearer " + token(header, new RSASSASigner(keys.getPrivate()), "alice", Duration.ofMinutes(5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"JWT", "jwt", "application/jwt", "at+jwt", "AT+JWT", "application/at+jwt", "Application/At+Jwt"})
    void acceptsAccessTokensThatSayWhatTheyAre(String type) throws Exception {
        try (TestGateway gateway = TestGateway.start(upstream.url(), "scope", "jwt:sub", "jwt-key", pem.toString())) {
            assertThat(isReplay(gateway.post(
                            "/charges", "typ-" + type.replace('+', '-'), "{}", "Authorization", typed(type))))
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dpop+jwt",
                "logout+jwt",
                "secevent+jwt",
                "application/dpop+jwt",
                "at+jwt;x",
                "application/application/jwt"
            })
    void refusesTokensThatWereMadeForSomethingElse(String type) throws Exception {
        try (TestGateway gateway = TestGateway.start(upstream.url(), "scope", "jwt:sub", "jwt-key", pem.toString())) {
            assertRefused(gateway.post("/charges", "other-typ", "{}", "Authorization", typed(type)));
            assertThat(upstream.effects("other-typ")).isZero();
        }
    }

    @Test
    void refusesTokensForAnotherAudience() throws Exception {
        try (TestGateway gateway = TestGateway.start(
                upstream.url(), "scope", "jwt:sub", "jwt-key", pem.toString(), "jwt-audience", "invoices")) {
            assertRefused(gateway.post(
                    "/charges", "aud", "{}", "Authorization", "Bearer " + token("alice", Duration.ofMinutes(5))));
        }
    }

    @Test
    void tellsCredentialsApart() {
        try (TestGateway gateway = TestGateway.start(upstream.url(), "scope", "credential")) {
            assertThat(isReplay(gateway.post("/charges", "cred", "{}", "Authorization", "Basic YTph")))
                    .isFalse();
            assertThat(isReplay(gateway.post("/charges", "cred", "{}", "Authorization", "Basic YTph")))
                    .isTrue();
            assertThat(isReplay(gateway.post("/charges", "cred", "{}", "Authorization", "Basic YjpiMg==")))
                    .isFalse();
            assertRefused(gateway.post("/charges", "cred", "{}"));
            assertThat(gateway.admin("/api/keys").body()).doesNotContain("YTph");
        }
    }

    @Test
    void saysWhatIsWrongWithAKeyFile() throws IOException {
        Path empty = Files.writeString(directory.resolve("empty.pem"), "nothing");

        assertThatThrownBy(() -> TestGateway.start(upstream.url(), "scope", "jwt:sub", "jwt-key", empty.toString()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("holds no key");
    }
}
