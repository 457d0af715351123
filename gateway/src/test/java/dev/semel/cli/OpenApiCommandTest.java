package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class OpenApiCommandTest {

    @TempDir
    private Path directory;

    private Path file(String yaml) throws IOException {
        return Files.writeString(directory.resolve("gateway.yaml"), yaml);
    }

    @Test
    void describesWhatTheGatewayAddsToEachRoute() throws IOException {
        Path file = file("""
                upstream: http://127.0.0.1:9000
                documentation: https://example.com/keys
                routes:
                  - path: /charges/*/capture
                    operation: capture
                    methods: [POST]
                    require-key: true
                    key-format: uuidv7
                  - path: /transfers/**
                    operation: transfers
                    methods: [PUT]
                    key-from: [header, "query:key"]
                    respond-async: true
                  - path: /search/**
                    protect: false
                """);

        JsonObject document = new JsonObject(CommandLines.run("openapi", "--config", file.toString()));

        assertThat(document.getString("openapi")).isEqualTo("3.1.0");
        JsonObject paths = document.getJsonObject("paths");
        assertThat(paths.fieldNames())
                .containsExactlyInAnyOrder("/charges/{segment1}/capture", "/transfers/{path}", "/{path}");
        JsonObject item = paths.getJsonObject("/charges/{segment1}/capture");
        assertThat(item.getJsonArray("parameters").getJsonObject(0).getString("name"))
                .isEqualTo("segment1");
        JsonObject capture = item.getJsonObject("post");
        JsonObject key = capture.getJsonArray("parameters").getJsonObject(0);
        assertThat(key.getString("name")).isEqualTo("Idempotency-Key");
        assertThat(key.getString("in")).isEqualTo("header");
        assertThat(key.getBoolean("required")).isTrue();
        assertThat(key.getJsonObject("schema").getString("format")).isEqualTo("uuid");
        JsonObject responses = capture.getJsonObject("responses");
        assertThat(responses.fieldNames())
                .contains("400", "409", "422", "502", "503", "504")
                .doesNotContain("202");
        assertThat(responses.getJsonObject("422").getString("description"))
                .isEqualTo("Idempotency key used for another request");
        assertThat(responses.getJsonObject("default").getJsonObject("headers").fieldNames())
                .contains("Idempotency-Expires");
        JsonObject transfers = paths.getJsonObject("/transfers/{path}").getJsonObject("put");
        assertThat(transfers.getJsonArray("parameters")).hasSize(2);
        assertThat(transfers.getJsonObject("responses").fieldNames()).contains("202");
        assertThat(document.getJsonObject("components").getJsonObject("schemas").fieldNames())
                .containsExactly("SemelProblem");
    }

    @Test
    void usesTheWordsOfTheDialect() throws IOException {
        Path file = file("""
                upstream: http://127.0.0.1:9000
                dialect: stripe
                replay-marker: [Idempotent-Replayed, X-Replayed]
                """);

        JsonObject document = new JsonObject(CommandLines.run("openapi", "--config", file.toString()));

        JsonObject responses = document.getJsonObject("paths")
                .getJsonObject("/{path}")
                .getJsonObject("post")
                .getJsonObject("responses");
        assertThat(responses.fieldNames()).contains("400", "409").doesNotContain("422");
        assertThat(responses.getJsonObject("400").getString("description"))
                .contains("Idempotency key used for another request");
        JsonObject examples = responses
                .getJsonObject("409")
                .getJsonObject("content")
                .getJsonObject("application/json")
                .getJsonObject("examples");
        assertThat(examples.fieldNames()).containsExactly("in-flight", "outcome-unknown");
        assertThat(examples.getJsonObject("in-flight")
                        .getJsonObject("value")
                        .getJsonObject("error")
                        .getString("code"))
                .isEqualTo("idempotency_key_in_use");
        assertThat(responses.getJsonObject("default").getJsonObject("headers").fieldNames())
                .containsExactly("Idempotent-Replayed", "X-Replayed");
        assertThat(document.fieldNames()).doesNotContain("components");
    }

    @Test
    void saysWhatIsWrongWithTheFile() throws IOException {
        StringWriter err = new StringWriter();
        CommandLine command = SemelCommand.commandLine().setErr(new PrintWriter(err, true));

        assertThat(command.execute(
                        "openapi", "--config", file("upstraem: http://a\n").toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("did you mean \"upstream\"");
    }
}
