package dev.semel.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command line of the attacks. */
class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @Test
    void listsTheAttacksOfAGroup() {
        assertThat(run("--list", "--group", "spelling")).isZero();
        assertThat(out.toString()).contains("dots-with-parameter").doesNotContain("framing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--only nonsense | there is no attack nonsense",
                "--group nonsense | nonsense",
                "--group admin --only dots | none of the attacks",
                "--admin-token x | belong to --url",
                "--url http://127.0.0.1:1 | --url needs --upstream-port",
                "--yes --upstream-port 1 --url http://192.0.2.1:8080 | not on the loopback",
                "--yes --upstream-port 1 --url http://0.0.0.0:8080 | not on the loopback",
                "--yes --upstream-port 1 --url http://127.0.0.1:1 --admin-url http://192.0.2.1:1 | not on the loopback",
                "--yes --upstream-port 1 --url ftp://127.0.0.1 | expected http://HOST:PORT",
                "--nonsense | Unknown option"
            })
    void wrongArgumentsAreExplained(String arguments, String explanation) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(explanation);
    }

    @Test
    void anAttackThatIsWithstoodIsALineAndANumber(@TempDir Path directory) throws Exception {
        Path json = directory.resolve("attack.json");

        assertThat(run("--only", "dots,no-host", "--json", json.toString())).isZero();
        assertThat(out.toString()).contains("ok      spelling    dots ", "2 attacks in ", "all withstood");
        assertThat(Files.readString(json))
                .contains("\"attack.attacks\": 2", "\"attack.succeeded\": 0", "\"attack.spelling.attacks\": 2");
    }
}
