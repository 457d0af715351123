package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.gateway.config.ConfigException;
import dev.semel.gateway.config.GatewayConfig;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway whose stored responses are compressed and encrypted. */
class SealedGatewayTest {

    private static final String CARD = "4242424242424242";

    @TempDir
    private Path directory;

    private Path keyFile() throws IOException {
        return Secrets.write(
                directory.resolve("keys"), "first:" + Base64.getEncoder().encodeToString(new byte[32]));
    }

    private String store() {
        return "sqlite:" + directory.resolve("semel.db");
    }

    @Test
    void replaysWhatCannotBeReadInTheDatabase() throws Exception {
        try (TestUpstream upstream = new TestUpstream()) {
            GatewayConfig config = TestGateway.config(
                    upstream.url(), "store", store(), "seal-keys", keyFile().toString(), "compress", "true");
            try (StoreUrls.OpenStore open = StoreUrls.open(config.store(), config.sealing());
                    TestGateway gateway = TestGateway.start(open.keys(), upstream.url())) {
                HttpResponse<String> first = gateway.post("/echo", "k-1", "{\"card\":\"" + CARD + "\"}");
                HttpResponse<String> replay = gateway.post("/echo", "k-1", "{\"card\":\"" + CARD + "\"}");

                assertThat(first.body()).contains(CARD);
                assertThat(replay.body()).isEqualTo(first.body());
                assertThat(replay.headers().firstValue("Idempotent-Replayed")).contains("true");
                assertThat(files()).contains("k-1").doesNotContain(CARD);
            }
        }
    }

    @Test
    void saysWhatIsWrongWithAKeyFile() {
        String missing = directory.resolve("missing").toString();

        assertThatThrownBy(() -> TestGateway.config("http://127.0.0.1:1", "seal-keys", missing))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("seal-keys")
                .hasMessageContaining(missing);
    }

    /** Everything that is in the files of the database. */
    private String files() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(each -> each.getFileName().toString().startsWith("semel.db"))
                    .toList()) {
                all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            }
        }
        return all.toString();
    }
}
