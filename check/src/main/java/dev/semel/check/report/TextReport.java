package dev.semel.check.report;

import dev.semel.check.ApiCheck;
import dev.semel.check.CaseResult;
import dev.semel.check.CheckCase;
import dev.semel.check.CheckReport;
import dev.semel.check.CheckTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report for a terminal. */
public final class TextReport {

    private static final int WIDTH = 100;
    private static final int TITLE = 68;
    private static final String RED = "31";
    private static final String GREEN = "32";
    private static final String GREY = "90";
    private static final String BOLD = "1";

    private final boolean colours;

    public TextReport(boolean colours) {
        this.colours = colours;
    }

    /** The announcement before the check. */
    public String announcement(CheckTarget target, ApiCheck check) {
        return String.format(
                Locale.ROOT,
                "%s%nSends at most %d requests for %d cases; %d cases are skipped because options are missing.%n%n",
                target,
                check.requests(),
                check.cases().size() - check.skipped(),
                check.skipped());
    }

    /** One line for a case that has ended. */
    public String line(CaseResult result) {
        String sign = switch (result.state()) {
            case PASSED -> paint(GREEN, "✓");
            case FINDING -> paint(RED, "✗");
            case SKIPPED -> paint(GREY, "–");
        };
        String title = fit(result.checkCase().title());
        String text = String.format(Locale.ROOT, "%-6s %s", result.checkCase().id(), title);
        String seen = result.state() == CaseResult.State.SKIPPED
                ? result.seen().replaceAll("^needs (--[a-z-]+( and --[a-z-]+)?):.*", "needs $1")
                : result.state() == CaseResult.State.FINDING
                        ? result.checkCase().kind().name().toLowerCase(Locale.ROOT)
                        : "";
        return " " + sign + " "
                + (result.state() == CaseResult.State.SKIPPED
                        ? paint(GREY, text)
                        : seen.isEmpty() ? text.strip() : text)
                + (seen.isEmpty() ? "" : " " + paint(result.isFinding() ? RED : GREY, seen))
                + System.lineSeparator();
    }

    private static String fit(String title) {
        return title.length() > TITLE
                ? title.substring(0, TITLE - 1) + "…"
                : String.format(Locale.ROOT, "%-" + TITLE + "s", title);
    }

    /** The findings, and the sum of it. */
    public String summary(CheckReport report) {
        StringBuilder text = new StringBuilder(System.lineSeparator());
        for (CaseResult finding : report.findings()) {
            CheckCase tried = finding.checkCase();
            text.append(paint(RED, "✗ " + tried.id()) + " " + paint(BOLD, tried.title()) + System.lineSeparator());
            paragraph(text, "expected", tried.expected());
            paragraph(text, "seen", finding.seen());
            paragraph(text, "why", tried.why());
            text.append(System.lineSeparator());
        }
        long findings = report.findings().size();
        String verdict = findings == 0
                ? paint(GREEN, "no finding")
                : paint(RED, findings + (findings == 1 ? " finding" : " findings"));
        return text.append(String.format(
                        Locale.ROOT,
                        "%s: %d passed, %d skipped; %d of %d requests sent in %.1f s%n",
                        verdict,
                        report.count(CaseResult.State.PASSED),
                        report.count(CaseResult.State.SKIPPED),
                        report.sent(),
                        report.announced(),
                        report.took().toMillis() / 1000.0))
                .toString();
    }

    private static void paragraph(StringBuilder text, String name, String words) {
        String head = String.format(Locale.ROOT, "  %-9s ", name);
        for (String line : wrapped(words, WIDTH - head.length())) {
            text.append(head).append(line).append(System.lineSeparator());
            head = " ".repeat(head.length());
        }
    }

    private static List<String> wrapped(String words, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : words.split("\\s+")) {
            if (line.length() > 0 && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private String paint(String code, String text) {
        return colours ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
