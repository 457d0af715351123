package dev.semel.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.gateway.Gateway;
import dev.semel.gateway.RawHttp;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Settings;
import dev.semel.gateway.config.YamlFile;
import dev.semel.memory.InMemoryKeyStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a rule is matched with is what the service gets: a path that can be read in two ways is refused. */
class SpelledPathsTest {

    @TempDir
    private Path directory;

    private RawHttp.Upstream upstream;
    private Gateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = new RawHttp.Upstream();
        Path file = Files.writeString(directory.resolve("gateway.yaml"), """
                upstream: %s/api
                listen: 127.0.0.1:0
                admin: 127.0.0.1:0
                event-loops: 1
                routes:
                  - path: /search/**
                    protect: false
                  - path: /**
                    require-key: true
                """.formatted(upstream.url()));
        gateway = Gateway.start("test", config(file), InMemoryKeyStore.create());
    }

    private static GatewayConfig config(Path file) {
        Settings settings = new Settings();
        return GatewayConfig.of(settings, YamlFile.read(file, settings));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        upstream.close();
    }

    private String post(String target) throws IOException {
        return RawHttp.exchange(gateway.port(), RawHttp.request("POST", target));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/search/..;/charges",
                "/search/..;x/charges",
                "/search/.;/../charges",
                "/search/..\\charges",
                "/search\\..\\charges",
                "/search/..%5ccharges",
                "/search/..%5Ccharges",
                "/search/%252e%252e/charges",
                "/search/%2e%2e/charges",
                "/search/.%2E/charges",
                "/search/%2e%2e%3b/charges",
                "/search/../charges",
                "/search/./charges",
                "/search/x#/../charges",
                "/search%2fcharges",
                "/search;/x",
                "/search/%00/charges",
                "/search/%zz",
                "/search/%e",
                "/search/caf\u00e9",
                "/search/..",
                "/..;/admin",
                "/%2e%2e/admin",
                "-internal/x",
                "charges",
                "?x",
                "*",
                "http:///charges",
                "ftp://shop.example/charges",
                "http://shop.example/../admin"
            })
    void aPathThatCanBeReadInTwoWaysIsRefused(String target) throws IOException {
        assertThat(post(target)).startsWith("HTTP/1.1 400 ");
        assertThat(upstream.heads).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/search, /api/search",
        "/search/a;b=c?x=/../y, /api/search/a;b=c?x=/../y",
        "/search/v1%2e0/100%25, /api/search/v1%2e0/100%25",
        "/search/a%2Fb, /api/search/a%2Fb",
        "//search///x, /api/search/x",
        "http://shop.example/search/x?y, /api/search/x?y",
        "http://shop.example?y, 400",
        "/search/..x/x.., /api/search/..x/x..",
    })
    void whatIsMatchedIsWhatIsForwarded(String target, String forwarded) throws IOException {
        String answer = post(target);
        if (forwarded.equals("400")) {
            // The root needs a key.
            assertThat(answer).startsWith("HTTP/1.1 400 ").contains("key-missing");
            return;
        }
        assertThat(answer).startsWith("HTTP/1.1 201 ");
        assertThat(upstream.heads).singleElement().asString().startsWith("POST " + forwarded + " HTTP/1.1\r\n");
    }
}
