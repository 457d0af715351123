package dev.semel.http.shadow;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A report as people read it: a sentence, then tables. */
final class ReportText {

    private ReportText() {}

    static String of(ShadowReport report) {
        StringBuilder text = new StringBuilder();
        if (report.operations().isEmpty()) {
            return "Nothing was recorded in the last " + period(report)
                    + ". Is shadow mode on, and has a minute passed?\n";
        }
        text.append("In ")
                .append(period(report))
                .append(" you executed ")
                .append(times(report.executedTwice(), "operation"))
                .append(" twice, out of ")
                .append(times(report.requests(), "request"))
                .append(report.executedTwice() == 0 ? ".\n" : ", for these callers:\n");
        if (!report.callers().isEmpty()) {
            text.append('\n').append(callers(report));
        }
        if (report.outcomesUnknown() > 0) {
            text.append("\nThe outcome of ")
                    .append(times(report.outcomesUnknown(), "operation"))
                    .append(
                            " is unknown. Protection would hold their keys until an operator resolves them, unless their"
                                    + " recovery policy says otherwise.\n");
        }
        text.append("\nCan keys be required?\n\n").append(operations(report));
        if (report.dropped() > 0) {
            text.append('\n')
                    .append(times(report.dropped(), "request"))
                    .append(" could not be recorded, so the real counts may be higher.\n");
        }
        return text.toString();
    }

    private static String period(ShadowReport report) {
        Duration period = Duration.between(report.from(), report.to());
        if (period.toDays() > 0) {
            return times(period.toDays(), "day");
        }
        return period.toHours() > 0 ? times(period.toHours(), "hour") : times(period.toMinutes(), "minute");
    }

    private static String times(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private static String callers(ShadowReport report) {
        List<ShadowFinding> shown = Stream.of(ShadowFinding.values())
                .filter(finding -> report.callers().stream().anyMatch(caller -> caller.count(finding) > 0))
                .toList();
        List<List<String>> lines = new ArrayList<>();
        lines.add(Stream.concat(
                        Stream.of("operation", "caller", "twice"),
                        shown.stream().map(ShadowFinding::label))
                .toList());
        for (ShadowReport.Caller caller : report.callers()) {
            lines.add(Stream.concat(
                            Stream.of(caller.operation(), caller.caller(), Long.toString(caller.executedTwice())),
                            shown.stream().map(finding -> Long.toString(caller.count(finding))))
                    .toList());
        }
        return table(lines);
    }

    private static String operations(ShadowReport report) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("operation", "requests", "without key", "last without key", "ready"));
        for (ShadowReport.Operation operation : report.operations()) {
            lines.add(List.of(
                    operation.operation(),
                    Long.toString(operation.requests()),
                    Long.toString(operation.withoutKey()),
                    operation.lastWithoutKey() == null
                            ? "-"
                            : operation
                                    .lastWithoutKey()
                                    .truncatedTo(ChronoUnit.SECONDS)
                                    .toString(),
                    ready(operation)));
        }
        return table(lines);
    }

    private static String ready(ShadowReport.Operation operation) {
        if (operation.isReadyToRequireKeys()) {
            return "yes";
        }
        return operation.withoutKey() > 0 ? "no" : "not certain: some requests were not recorded";
    }

    private static String table(List<List<String>> lines) {
        int columns = lines.get(0).size();
        int[] widths = new int[columns];
        for (List<String> line : lines) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        return lines.stream()
                .map(line -> {
                    StringBuilder text = new StringBuilder();
                    for (int i = 0; i < columns; i++) {
                        text.append(line.get(i))
                                .append(" ".repeat(widths[i] - line.get(i).length() + 2));
                    }
                    return text.toString().stripTrailing() + "\n";
                })
                .collect(Collectors.joining());
    }
}
