package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testkit.check.ChargeService;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/** {@code semel check} on a service that does nothing about retries. */
class CheckCommandTest {

    private static ChargeService service;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        service = ChargeService.start();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private int check(String... options) {
        List<String> line = new ArrayList<>(List.of("check", service.uri() + "/charges"));
        line.addAll(List.of(options));
        return run(line.toArray(String[]::new));
    }

    private int run(String... line) {
        return SemelCommand.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(line);
    }

    @Test
    void saysHowManyRequestsItSendsAndEndsWithOneForFindings() {
        assertThat(check("--only", "P9.1,P9.5", "--effects-url", service.uri() + "/effects?{key}"))
                .isEqualTo(1);
        assertThat(out.toString())
                .startsWith("POST " + service.uri() + "/charges")
                .containsPattern("Sends at most 10 requests for 2 cases")
                .contains("✗ P9.5", "expected  the same answer each time", "6 effects", "why  ", "2 findings")
                .contains("10 of 10 requests sent");
    }

    @Test
    void endsWithZeroForNoFinding() {
        assertThat(check("--only", "P5")).as(out + "" + err).isZero();
        assertThat(out.toString()).contains("no finding");
    }

    @Test
    void endsWithTwoWhenItCannotRun() {
        assertThat(run("check", "http://127.0.0.1:1/charges")).isEqualTo(2);
        assertThat(err.toString()).contains("the plain request was not successful");
        assertThat(check("--bad-option")).isEqualTo(2);
        assertThat(check("--only", "P99")).isEqualTo(2);
        assertThat(err.toString()).contains("there is no case P99");
        assertThat(run("check", "/charges")).isEqualTo(2);
        assertThat(err.toString()).contains("starts with http:// or https://");
        assertThat(check("--header", "no colon")).isEqualTo(2);
        assertThat(check("--timeout", "soon")).isEqualTo(2);
        assertThat(check("--body", "\"bad\"", "--only", "P9")).isEqualTo(2);
        assertThat(err.toString()).contains("It answered: {\"error\": 1}");
    }

    @Test
    void doesNotSendToAnotherMachineUnasked() {
        assertThat(run("check", "http://192.0.2.1/charges")).isEqualTo(2);
        assertThat(err.toString()).contains("requests to 192.0.2.1, say --yes");
    }

    @Test
    void writesJsonToStandardOutputAndNothingElse() {
        assertThat(check("--only", "P9", "--json", "-")).isEqualTo(1);

        JsonObject report = new JsonObject(out.toString());
        assertThat(report.getInteger("findings")).isPositive();
        JsonObject first = report.getJsonArray("cases").getJsonObject(0);
        assertThat(first.getString("id")).isEqualTo("P9.1");
        assertThat(first.getString("state")).isEqualTo("finding");
        assertThat(first.getJsonArray("exchanges")).isNotEmpty();
        assertThat(err.toString()).contains("✗ P9.1");
    }

    @Test
    void writesReportsForBuildServersAndForPeople() throws Exception {
        Path body = Files.writeString(directory.resolve("order.json"), "{\"amount\": 5, \"note\": \"<b>&\"}");
        Path junit = directory.resolve("junit.xml");
        Path html = directory.resolve("report.html");
        Path json = directory.resolve("report.json");
        assertThat(check(
                        "--only",
                        "P7,P9,P18",
                        "--body",
                        body.toString(),
                        "--caller-a",
                        "Authorization: Bearer s3cret",
                        "--junit",
                        junit.toString(),
                        "--html",
                        html.toString(),
                        "--json",
                        json.toString()))
                .isEqualTo(1);

        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(junit.toFile())
                .getDocumentElement();
        assertThat(suite.getAttribute("tests")).isEqualTo("10");
        assertThat(suite.getAttribute("skipped")).isEqualTo("4");
        assertThat(suite.getElementsByTagName("failure").getLength())
                .isEqualTo(Integer.parseInt(suite.getAttribute("failures")))
                .isPositive();
        assertThat(Files.readString(html))
                .contains("<span class=\"id\">P7.1</span>", "findings</span>", "prefers-color-scheme: dark")
                .doesNotContain("{{", "http-equiv", "src=", "<link", "s3cret");
        assertThat(Files.readString(json) + Files.readString(junit)).doesNotContain("s3cret");
    }
}
