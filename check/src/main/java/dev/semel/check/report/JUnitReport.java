package dev.semel.check.report;

import dev.semel.check.CaseResult;
import dev.semel.check.CheckCase;
import dev.semel.check.CheckReport;
import java.util.Locale;

/** A report in the XML that build servers read. */
public final class JUnitReport {

    private JUnitReport() {}

    public static String render(CheckReport report) {
        StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.append(String.format(
                Locale.ROOT,
                "<testsuite name=\"semel check %s\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\""
                        + " time=\"%.3f\" timestamp=\"%s\">%n",
                Markup.escape(report.uri().toString()),
                report.results().size(),
                report.findings().size(),
                report.count(CaseResult.State.SKIPPED),
                report.took().toMillis() / 1000.0,
                report.startedAt().toString().substring(0, 19)));
        report.results().forEach(result -> one(out, result));
        return out.append("</testsuite>\n").toString();
    }

    private static void one(StringBuilder out, CaseResult result) {
        CheckCase tried = result.checkCase();
        out.append(String.format(
                Locale.ROOT,
                "  <testcase classname=\"semel.check\" name=\"%s\" time=\"%.3f\"",
                Markup.escape(tried.toString()),
                result.took().toMillis() / 1000.0));
        switch (result.state()) {
            case PASSED -> out.append(" />\n");
            case SKIPPED ->
                out.append(">\n    <skipped message=\"" + Markup.escape(result.seen()) + "\" />\n  </testcase>\n");
            case FINDING -> {
                String kind = tried.kind().name().toLowerCase(Locale.ROOT);
                String story = "expected: " + tried.expected() + "\nseen: " + result.seen() + "\nwhy: " + tried.why()
                        + "\n\n" + String.join("\n", result.exchanges());
                out.append(">\n    <failure type=\"" + kind + "\" message=\"" + Markup.escape(result.seen()) + "\">"
                        + Markup.escape(story) + "</failure>\n  </testcase>\n");
            }
        }
    }
}
