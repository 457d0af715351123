package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code semel serve} says without serving. */
class ServeCommandTest {

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void saysAllThatIsWrongAtOnceAndNothingElse() throws Exception {
        Path file = Files.writeString(directory.resolve("gateway.yaml"), """
            upstreem: http://127.0.0.1:9000
            listen: nowhere
            lease: soon
            max-header: large
            routes:
              - path: /charges/**
                retention: forever
              - operation: refund
            """);

        assertThat(run("serve", "--config", file.toString(), "--drain", "a while"))
                .isEqualTo(2);

        assertThat(err.toString().lines())
                .allMatch(line -> line.startsWith("semel: "))
                .anyMatch(line -> line.contains("no setting \"upstreem\" here; did you mean \"upstream\"?"))
                .anyMatch(line -> line.contains("listen: ") && line.contains("gateway.yaml, line 2"))
                .anyMatch(line -> line.contains("lease: ") && line.contains("line 3"))
                .anyMatch(line -> line.contains("max-header: "))
                .anyMatch(line -> line.contains("retention: ") && line.contains("line 7"))
                .anyMatch(line -> line.contains("a route needs a path"))
                .anyMatch(line -> line.contains("drain: ") && line.contains("option --drain"))
                .anyMatch(line -> line.contains("upstream is missing"))
                .hasSize(8);
    }

    @Test
    void aMissingOptionIsTwoLines() {
        assertThat(run("serve", "--lissen", "127.0.0.1:0")).isEqualTo(2);

        assertThat(err.toString()).contains("--lissen").doesNotContain("Usage");
        assertThat(err.toString().lines().count()).isLessThan(5);
    }

    @Test
    void checksWithoutMakingAnything() {
        Path database = directory.resolve("keys.db");

        assertThat(run("serve", "--upstream", "http://127.0.0.1:9", "--store", "sqlite:" + database, "--check"))
                .as(err.toString())
                .isZero();

        assertThat(out.toString()).contains("settings: ok", "is created at the first start");
        assertThat(database).doesNotExist();
        assertThat(run(
                        "serve",
                        "--upstream",
                        "http://127.0.0.1:9",
                        "--store",
                        "jdbc:postgresql://127.0.0.1:1/x",
                        "--check"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("cannot open the store");
    }

    @Test
    void printsTheSettingsThatHoldWithoutSecrets() throws Exception {
        Path file = Files.writeString(directory.resolve("gateway.yaml"), """
            upstream: http://127.0.0.1:9000
            admin-token: s3cret
            store: jdbc:postgresql://alice:s3cret@db/semel
            routes:
              - path: /charges/**
                lease: 10s
            """);

        assertThat(run("serve", "--config", file.toString(), "--drain", "5s", "--print-config"))
                .isZero();

        assertThat(out.toString())
                .contains("upstream: 'http://127.0.0.1:9000'   # gateway.yaml, line 1")
                .contains("drain: 5s   # option --drain")
                .contains("listen: '127.0.0.1:8080'   # default")
                .contains("  - path: /charges/**", "    lease: 10s   # gateway.yaml, line 6")
                .doesNotContain("s3cret");
    }

    @Test
    void aListMayBeGivenInSeveralOptions() {
        assertThat(run(
                        "serve",
                        "--upstream",
                        "http://127.0.0.1:9000",
                        "--peer",
                        "http://10.0.0.12:8081",
                        "--peer",
                        "http://10.0.0.13:8081,http://10.0.0.14:8081",
                        "--print-config"))
                .isZero();

        assertThat(out.toString())
                .contains("peer: ['http://10.0.0.12:8081', 'http://10.0.0.13:8081', 'http://10.0.0.14:8081']"
                        + "   # option --peer");
    }

    private int run(String... args) {
        CommandLine command = SemelCommand.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(args);
    }
}
