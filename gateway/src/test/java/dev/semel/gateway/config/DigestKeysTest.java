package dev.semel.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Fingerprint;
import dev.semel.gateway.Secrets;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever reads the store cannot find out by guessing who sent a request, and what it asked for. */
class DigestKeysTest {

    private static final String CREDENTIAL = "Basic YWxpY2U6MTIzNA==";
    private static final String BODY = "{\"amount\":100}";

    @TempDir
    private Path directory;

    private final TestUpstream upstream = new TestUpstream();
    private final InMemoryKeyStore store = InMemoryKeyStore.create();

    @AfterEach
    void stop() {
        upstream.close();
    }

    private static String key(int seed) {
        byte[] key = new byte[32];
        key[0] = (byte) seed;
        return "key-" + seed + ":" + Base64.getEncoder().encodeToString(key) + "\n";
    }

    private String file(String... keys) throws IOException {
        return Secrets.write(directory.resolve("digest-keys"), String.join("", keys))
                .toString();
    }

    private TestGateway gateway(String... keys) throws IOException {
        return TestGateway.start(store, upstream.url(), "scope", "credential", "digest-keys", file(keys));
    }

    private static HttpResponse<String> charge(TestGateway gateway, String key, String body) {
        return gateway.post("/echo", key, body, "Authorization", CREDENTIAL);
    }

    private List<KeyRecord> records() {
        return store.page(KeyQuery.builder(100).build())
                .toCompletableFuture()
                .join()
                .records();
    }

    @Test
    void keepsNeitherTheCredentialNorTheRequestAsAPlainDigest() throws Exception {
        String plain = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(CREDENTIAL.getBytes(StandardCharsets.UTF_8)));
        Fingerprint unkeyed;
        try (TestUpstream other = new TestUpstream();
                TestGateway without = TestGateway.start(store, other.url(), "scope", "credential")) {
            charge(without, "k-1", BODY);
            unkeyed = records().get(0).fingerprint();
            assertThat(records()).extracting(found -> found.key().scope()).containsExactly("credential:" + plain);
        }
        InMemoryKeyStore keyedStore = InMemoryKeyStore.create();
        try (TestGateway gateway =
                TestGateway.start(keyedStore, upstream.url(), "scope", "credential", "digest-keys", file(key(1)))) {
            charge(gateway, "k-1", BODY);
            assertThat(keyedStore
                            .page(KeyQuery.builder(10).build())
                            .toCompletableFuture()
                            .join()
                            .records())
                    .singleElement()
                    .satisfies(found -> {
                        assertThat(found.key().scope())
                                .startsWith("credential:")
                                .doesNotContain(plain);
                        assertThat(found.fingerprint()).isNotEqualTo(unkeyed);
                    });
        }
    }

    @Test
    void aRotationRunsNoRetryAgain() throws Exception {
        HttpResponse<String> first;
        try (TestGateway old = gateway(key(1));
                TestGateway rotated = gateway(key(2), key(1))) {
            first = charge(old, "k-1", BODY);
            HttpResponse<String> retry = charge(rotated, "k-1", BODY);
            assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
            assertThat(retry.body()).isEqualTo(first.body());

            charge(rotated, "k-2", BODY);
            assertThat(charge(old, "k-2", BODY).headers().firstValue("Idempotent-Replayed"))
                    .contains("true");
            assertThat(charge(rotated, "k-2", "{\"amount\":200}").statusCode()).isEqualTo(422);
        }
        assertThat(upstream.effects("k-1")).isEqualTo(1);
        assertThat(upstream.effects("k-2")).isEqualTo(1);
    }

    @Test
    void saysWhatIsWrongWithAFile() {
        assertThatThrownBy(() -> gateway("# nothing\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("digest-keys")
                .hasMessageContaining("NAME:BASE64");
        assertThatThrownBy(() -> gateway("short:AAAA\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("short")
                .hasMessageContaining("openssl rand -base64 32");
    }
}
