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
            List<String> lines = screen.lines()
                    .map(String::strip)
                    .filter(line -> line.startsWith("curl "))
                    .toList();
            assertThat(lines)
                    .hasSize(5)
                    .allMatch(line -> !line.replaceAll("'[^']*'", "").contains("?"));

            String first = run(lines.get(0));
            assertThat(statuses(first)).containsExactly(201);
            assertThat(first).doesNotContainIgnoringCase("X-Idempotency-Replayed");
            String replay = run(lines.get(1));
            assertThat(statuses(replay)).containsExactly(201);
            assertThat(replay)
                    .containsIgnoringCase("X-Idempotency-Replayed: true")
                    .endsWith(body(first));
            assertThat(statuses(run(lines.get(2)))).containsExactly(422);
            assertThat(statuses(run(lines.get(3)))).containsExactlyInAnyOrder(201, 409);
            String recovered = run(lines.get(4));
            assertThat(statuses(recovered)).containsExactly(502, 201);
            assertThat(recovered).containsIgnoringCase("X-Idempotency-Replayed: true");

            // Three keys, three charges: the last line of the screen.
            String all = screen.lines()
                    .filter(line -> line.startsWith("All charges"))
                    .findFirst()
                    .orElseThrow();
            assertThat(run(all.substring(all.indexOf("curl"))).split("\"id\"")).hasSize(4);
        }
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
