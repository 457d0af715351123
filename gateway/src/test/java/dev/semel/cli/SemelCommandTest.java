package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class SemelCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printsItsVersion() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).matches("(?s)semel \\d+\\.\\d+\\.\\d+.*Java \\d+.*");
    }

    @Test
    void showsTheHelpWhenNothingIsAsked() {
        assertThat(run()).isZero();
        assertThat(out.toString()).contains("Usage: semel", "Exit codes:", "Examples:");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void refusesAnUnknownOptionWithExitCodeTwo() {
        assertThat(run("--no-such-option")).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("--no-such-option");
    }

    private int run(String... args) {
        return SemelCommand.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
    }
}
