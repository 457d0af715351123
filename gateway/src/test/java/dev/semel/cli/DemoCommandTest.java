package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.demo.Demo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What the demo shows people to copy, copied. */
class DemoCommandTest {

    private static final Pattern STATUS = Pattern.compile("HTTP/1.1 (\\d+)");

    @Test
    void everyLineDoesWhatIsPromised() throws Exception {
        Assumptions.assumeTrue(run("command -v curl") != null, "there is no curl here");
        try (Demo demo = Demo.start(0)) {
            String screen = DemoCommand.screen(demo);
            assertThat(screen.lines()).allMatch(line -> line.length() <= 120, "fits a terminal");
            List<String> lines = commands(screen);
            assertThat(lines)
                    .hasSize(6)
                    .allMatch(line -> !line.replaceAll("'[^']*'", "").contains("?"));

            String first = run(lines.get(0));
            assertThat(statuses(first)).containsExactly(201);
            assertThat(first).doesNotContainIgnoringCase("Idempotent-Replayed");
            String replay = run(lines.get(1));
            assertThat(statuses(replay)).containsExactly(201);
            assertThat(replay).containsIgnoringCase("Idempotent-Replayed: true").endsWith(body(first));
            assertThat(statuses(run(lines.get(2)))).containsExactly(422);
            assertThat(statuses(run(lines.get(3)))).containsExactlyInAnyOrder(201, 409);
            String recovered = run(lines.get(4));
            assertThat(statuses(recovered)).containsExactly(502, 201);
            assertThat(recovered).containsIgnoringCase("Idempotent-Replayed: true");

            demo.loseAnAnswer();
            assertThat(statuses(run(lines.get(5)))).as("nobody has decided").containsExactly(409);

            // Four keys, four charges: the last line of the screen.
            String all = screen.lines()
                    .filter(line -> line.startsWith("All charges"))
                    .findFirst()
                    .orElseThrow();
            assertThat(run(all.substring(all.indexOf("curl"))).split("\"id\"")).hasSize(5);
        }
    }

    /** What is to be copied under each number, as one command. */
    private static List<String> commands(String screen) {
        return Pattern.compile("(?m)^   curl .*(?:\\n {3,}.+)*")
                .matcher(screen)
                .results()
                .map(found -> found.group().strip())
                .toList();
    }

    private static List<Integer> statuses(String output) {
        return STATUS.matcher(output)
                .results()
                .map(status -> Integer.valueOf(status.group(1)))
                .toList();
    }

    private static String body(String response) {
        return response.substring(response.lastIndexOf("\r\n\r\n") + 4);
    }

    /** What the line prints in a shell; {@code null} if it fails. */
    private static String run(String line) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-c", line)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return shell.waitFor() == 0 ? output : null;
    }
}
