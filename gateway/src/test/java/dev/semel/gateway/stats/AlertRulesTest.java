package dev.semel.gateway.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The alert rules and the dashboard that are shipped, as files. */
class AlertRulesTest {

    @Test
    void everyAlertHasARunbook() throws Exception {
        String rules = ObservabilityFiles.rules();
        List<String> alerts = all(rules, "alert: (\\w+)");
        List<String> runbooks =
                all(rules, "runbook_url: '\\{\\{ or \\$externalLabels.runbooks \"docs/runbooks\" }}/(\\S+)'");

        assertThat(runbooks).hasSameSizeAs(alerts);
        for (int i = 0; i < alerts.size(); i++) {
            Path page = Path.of("../docs/runbooks").resolve(runbooks.get(i));
            assertThat(page).exists();
            assertThat(Files.readString(page))
                    .as(runbooks.get(i))
                    .contains("`" + alerts.get(i) + "`")
                    .contains("## What it means", "## What to look at", "## What to do");
        }
    }

    @Test
    void promtoolAcceptsTheRulesAndTheirTests() throws Exception {
        Path directory = ObservabilityFiles.DIRECTORY;

        assertThat(Prometheus.promtool(directory, "check", "rules", "semel-rules.yml"))
                .contains("SUCCESS");
        assertThat(Prometheus.promtool(directory, "check", "config", "--syntax-only", "prometheus.yml"))
                .contains("SUCCESS");
        assertThat(Prometheus.promtool(directory, "test", "rules", "semel-rules.test.yml"))
                .contains("SUCCESS");
    }

    @Test
    void theQueryOfTheDocumentationIsTheOneThatIsTested() throws Exception {
        String query = all(
                        Files.readString(Path.of("../docs/shadow-mode.md")),
                        "```\\n(.*idempotency_unprotected_last_seconds.*)\\n```")
                .get(0);

        assertThat(Files.readString(ObservabilityFiles.DIRECTORY.resolve("semel-rules.test.yml")))
                .contains("expr: " + query + "\n");
    }

    @Test
    void rulesAndDashboardAskForNoOtherTagThanThereAre() throws Exception {
        String everything = ObservabilityFiles.rules()
                + String.join("\n", ObservabilityFiles.queries("1m").values());

        assertThat(all(everything, "by \\(([a-z, ]+)\\)"))
                .isNotEmpty()
                .allMatch(labels -> List.of(
                                "job",
                                "instance",
                                "store",
                                "operation",
                                "outcome",
                                "state",
                                "reason",
                                "route",
                                "status",
                                "version",
                                "le")
                        .containsAll(List.of(labels.split(", "))));
    }

    private static List<String> all(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }
}
