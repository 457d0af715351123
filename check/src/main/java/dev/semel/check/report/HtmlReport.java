package dev.semel.check.report;

import dev.semel.check.CaseResult;
import dev.semel.check.CheckCase;
import dev.semel.check.CheckReport;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** A report as one self-contained HTML page, to attach to a ticket. */
public final class HtmlReport {

    private static final DateTimeFormatter WHEN = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private HtmlReport() {}

    public static String render(CheckReport report) {
        int findings = report.findings().size();
        StringBuilder cases = new StringBuilder();
        section(cases, "Findings", report.findings(), true);
        section(cases, "Passed", only(report, CaseResult.State.PASSED), false);
        section(cases, "Skipped", only(report, CaseResult.State.SKIPPED), false);
        return template()
                .replace("{{title}}", Markup.escape(report.method() + " " + report.uri()))
                .replace("{{class}}", findings == 0 ? "good" : "bad")
                .replace(
                        "{{verdict}}",
                        findings == 0 ? "No finding" : findings + (findings == 1 ? " finding" : " findings"))
                .replace("{{passed}}", Long.toString(report.count(CaseResult.State.PASSED)))
                .replace("{{skipped}}", Long.toString(report.count(CaseResult.State.SKIPPED)))
                .replace("{{sent}}", report.sent() + " of " + report.announced())
                .replace("{{when}}", WHEN.format(report.startedAt()))
                .replace(
                        "{{took}}",
                        String.format(Locale.ROOT, "%.1f s", report.took().toMillis() / 1000.0))
                // Last, because what an API answers is not to be looked into for placeholders.
                .replace("{{cases}}", cases);
    }

    private static List<CaseResult> only(CheckReport report, CaseResult.State state) {
        return report.results().stream()
                .filter(result -> result.state() == state)
                .toList();
    }

    private static void section(StringBuilder out, String name, List<CaseResult> results, boolean open) {
        if (results.isEmpty()) {
            return;
        }
        out.append("<section><h2>").append(name).append("</h2>\n");
        results.forEach(result -> one(out, result, open));
        out.append("</section>\n");
    }

    private static void one(StringBuilder out, CaseResult result, boolean open) {
        CheckCase tried = result.checkCase();
        String state = result.state().name().toLowerCase(Locale.ROOT);
        out.append("<details class=\"case " + state + (open ? "\" open>" : "\">") + "<summary><span class=\"id\">"
                + tried.id() + "</span><span class=\"name\">" + Markup.escape(tried.title()) + "</span>");
        if (result.isFinding()) {
            String kind = tried.kind().name().toLowerCase(Locale.ROOT);
            out.append("<span class=\"kind\">" + kind + "</span>");
        }
        out.append("</summary>\n<dl>");
        item(out, "Expected", tried.expected());
        item(out, result.state() == CaseResult.State.SKIPPED ? "Skipped" : "Seen", result.seen());
        item(out, "Why it matters", tried.why());
        out.append("</dl>\n");
        if (!result.exchanges().isEmpty()) {
            out.append("<ol class=\"wire\">");
            result.exchanges().forEach(line -> out.append("<li><code>" + Markup.escape(line) + "</code></li>"));
            out.append("</ol>");
        }
        out.append("</details>\n");
    }

    private static void item(StringBuilder out, String name, String value) {
        out.append("<dt>" + name + "</dt><dd>" + Markup.escape(value) + "</dd>");
    }

    private static String template() {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.html")) {
            if (in == null) {
                throw new IllegalStateException("report.html is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
