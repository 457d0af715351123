package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Setting;
import dev.semel.gateway.config.Settings;
import dev.semel.gateway.config.YamlFile;
import dev.semel.memory.InMemoryKeyStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the gateway's own answers can be configured. */
class AnswersInDialectsTest {

    private static final String PAGES = "https://docs.example.org/problems";

    private static TestUpstream upstream;
    private static TestGateway linked;

    @BeforeAll
    static void start() {
        upstream = new TestUpstream();
        linked = TestGateway.start(
                upstream.url(), "problem-pages", PAGES, "replay-marker", "Idempotent-Replayed,X-Idempotent-Replayed");
    }

    @AfterAll
    static void stop() {
        linked.close();
        upstream.close();
    }

    @Test
    void typesOfProblemsLeadToThePageThatDescribesThem() {
        HttpResponse<String> first = linked.post("/charges", "linked", "{\"amount\":1}");
        HttpResponse<String> other = linked.post("/charges", "linked", "{\"amount\":2}");

        assertThat(first.headers().firstValue("Idempotency-Expires")).isPresent();
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.body()).startsWith("{\"type\":\"" + PAGES + "#key-reused\"");
        assertThat(other.headers().firstValue("Link"))
                .hasValue("<" + PAGES + ">; rel=\"describedby\"; type=\"text/html\"");
        assertThat(other.headers().firstValue("Content-Language")).hasValue("en");
    }

    @Test
    void byDefaultTypesAreUrnsAndNothingElseIsSent() {
        try (TestGateway gateway = TestGateway.start(upstream.url())) {
            HttpResponse<String> first = gateway.post("/charges", "plain", "{\"amount\":1}");
            HttpResponse<String> other = gateway.post("/charges", "plain", "{\"amount\":2}");

            assertThat(first.headers().firstValue("Idempotency-Expires")).isEmpty();
            assertThat(other.body()).startsWith("{\"type\":\"urn:semel:problem:key-reused\"");
            assertThat(other.headers().firstValue("Link")).isEmpty();
        }
    }

    @Test
    void aReplayCanHaveSeveralMarks() {
        linked.post("/charges", "marked", "{\"amount\":1}");
        HttpResponse<String> replay = linked.post("/charges", "marked", "{\"amount\":1}");

        assertThat(replay.statusCode()).isEqualTo(201);
        assertThat(replay.headers().allValues("Idempotent-Replayed")).containsExactly("true");
        assertThat(replay.headers().allValues("X-Idempotent-Replayed")).containsExactly("true");
    }

    /** Some clients of Stripe look for a member {@code error} and not at the status. */
    @Test
    void aRouteThatIsNotProtectedKeepsItsDialect(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("gateway.yaml"), """
                upstream: http://127.0.0.1:1
                listen: 127.0.0.1:0
                admin: "off"
                dialect: stripe
                routes:
                  - path: /search/**
                    protect: false
                """);
        Settings settings = new Settings().putOption(Setting.DRAIN, "1s");
        try (Gateway gateway = Gateway.start(
                "test", GatewayConfig.of(settings, YamlFile.read(file, settings)), InMemoryKeyStore.create())) {
            HttpResponse<String> unreachable = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/search/all"))
                                    .POST(BodyPublishers.ofString("{}"))
                                    .build(),
                            BodyHandlers.ofString());

            assertThat(unreachable.statusCode()).isEqualTo(502);
            assertThat(unreachable.body()).startsWith("{\"error\":{");
        }
    }
}
