package dev.semel.gateway.framing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.gateway.Gateway;
import dev.semel.gateway.RawHttp;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Settings;
import dev.semel.gateway.config.YamlFile;
import dev.semel.memory.InMemoryKeyStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What fuzzing has found in heads that are nearly right. */
class OddHeadsTest {

    @TempDir
    private Path directory;

    @Test
    void aHeaderWithoutANameIsRefused() throws Exception {
        try (RawHttp.Upstream upstream = new RawHttp.Upstream();
                TestGateway gateway = TestGateway.start(upstream.url())) {
            String answer = RawHttp.exchange(gateway.gateway.port(), RawHttp.request("GET", "/search", ": nameless"));

            assertThat(answer).startsWith("HTTP/1.1 400 ");
            assertThat(upstream.heads).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/charges%3bx%2f;y", "/charges%3Bx;y", "/charges%3b;", "/;%2fcharges"})
    void escapesBesideASemicolonDoNotLeadAroundARule(String target) throws Exception {
        try (RawHttp.Upstream upstream = new RawHttp.Upstream()) {
            Path file = Files.writeString(directory.resolve("gateway.yaml"), """
                    upstream: %s
                    listen: 127.0.0.1:0
                    admin: 127.0.0.1:0
                    protect: false
                    routes:
                      - path: /charges/**
                        protect: true
                        require-key: true
                    """.formatted(upstream.url()));
            Settings settings = new Settings();
            GatewayConfig config = GatewayConfig.of(settings, YamlFile.read(file, settings));
            try (Gateway gateway = Gateway.start("test", config, InMemoryKeyStore.create())) {
                String answer = RawHttp.exchange(gateway.port(), RawHttp.request("POST", target));

                assertThat(answer).startsWith("HTTP/1.1 400 ");
                assertThat(upstream.heads).isEmpty();
            }
        }
    }

    @Test
    void aQuestionAboutTheWholeServerStaysBelowTheBasePath() throws Exception {
        try (RawHttp.Upstream upstream = new RawHttp.Upstream();
                TestGateway gateway = TestGateway.start(upstream.url() + "/api")) {
            RawHttp.exchange(gateway.gateway.port(), RawHttp.request("OPTIONS", "*"));

            assertThat(upstream.heads).singleElement().asString().startsWith("OPTIONS /api HTTP/1.1\r\n");
        }
    }
}
