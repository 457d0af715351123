package dev.semel.gateway.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.gateway.Secrets;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import dev.semel.gateway.config.ConfigException;
import dev.semel.gateway.identity.JwtKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody but the gateway's own user reads stored responses, or the keys that protect them. */
class FileModesTest {

    private static final String KEY = "first:" + Base64.getEncoder().encodeToString(new byte[32]);

    @TempDir
    private Path directory;

    private String modes(String file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(file)));
    }

    private void store(String url) throws Exception {
        try (TestUpstream upstream = new TestUpstream();
                StoreUrls.OpenStore open = StoreUrls.open(url);
                TestGateway gateway = TestGateway.start(open.keys(), upstream.url())) {
            assertThat(gateway.post("/echo", "k-1", "{}").statusCode()).isEqualTo(200);
            for (String file : new String[] {"semel.db", "semel.db-wal", "semel.db-shm"}) {
                assertThat(modes(file)).as(file).isEqualTo("rw-------");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite:%s", "sqlite:%s?busy_timeout=5000", "sqlite:file:%s"})
    void createsADatabaseForItsOwnerAlone(String url) throws Exception {
        store(url.formatted(directory.resolve("semel.db")));
    }

    @Test
    void takesADatabaseOfBeforeAwayFromOthers() throws Exception {
        for (String file : new String[] {"semel.db", "semel.db-wal", "semel.db-shm"}) {
            Secrets.mode(Files.createFile(directory.resolve(file)), "rw-rw-r--");
        }

        store("sqlite:" + directory.resolve("semel.db"));
    }

    @Test
    void followsALinkToADatabaseThatIsStillToBeCreated() throws Exception {
        Files.createSymbolicLink(directory.resolve("link.db"), directory.resolve("semel.db"));

        store("sqlite:" + directory.resolve("link.db"));
    }

    @Test
    void leavesTheDirectoryAsItIs() throws Exception {
        Secrets.mode(directory, "rwxr-xr-x");

        store("sqlite:" + directory.resolve("semel.db"));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwxr-xr-x");
    }

    @ParameterizedTest
    @CsvSource({"seal-keys, rw-r--r--", "digest-keys, rw-r--r--", "tls-key, r-----r--", "seal-keys, rw-----w-"})
    void refusesASecretThatOthersCanReadOrReplace(String setting, String modes) throws IOException {
        String file = Secrets.mode(Files.writeString(directory.resolve("secret"), KEY), modes)
                .toString();

        String[] settings = setting.equals("tls-key")
                ? new String[] {setting, file, "tls-cert", "certificate.pem"}
                : new String[] {setting, file};

        assertThatThrownBy(() -> TestGateway.config("http://127.0.0.1:1", settings))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(setting)
                .hasMessageContaining(file)
                .hasMessageContaining(modes)
                .hasMessageContaining("chmod 600");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "r--------", "r--r-----"})
    void takesASecretThatAtMostItsGroupCanRead(String modes) throws IOException {
        String file = Secrets.mode(Files.writeString(directory.resolve("secret"), KEY), modes)
                .toString();

        assertThatCode(() -> TestGateway.config("http://127.0.0.1:1", "seal-keys", file, "digest-keys", file))
                .doesNotThrowAnyException();
    }

    @Test
    void aKeyThatVerifiesTokensIsASecretOnlyIfItAlsoSignsThem() throws IOException {
        Path symmetric = Files.writeString(
                directory.resolve("secret.json"),
                "{\"keys\":[{\"kty\":\"oct\",\"k\":\"%s\"}]}"
                        .formatted(Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[32])));
        Secrets.mode(symmetric, "rw-r--r--");

        assertThatThrownBy(() -> JwtKeys.read(symmetric))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("jwt-key")
                .hasMessageContaining("chmod 600");

        Secrets.mode(symmetric, "rw-------");
        assertThat(JwtKeys.read(symmetric).size()).isEqualTo(1);
    }
}
