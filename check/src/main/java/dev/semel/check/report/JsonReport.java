package dev.semel.check.report;

import dev.semel.check.CaseResult;
import dev.semel.check.CheckReport;
import java.util.List;
import java.util.Locale;

/** A report for programs. */
public final class JsonReport {

    private JsonReport() {}

    public static String render(CheckReport report) {
        StringBuilder out = new StringBuilder("{\n");
        member(out, "  ", "url", report.uri().toString()).append(",\n");
        member(out, "  ", "method", report.method()).append(",\n");
        member(out, "  ", "startedAt", report.startedAt().toString()).append(",\n");
        out.append("  \"millis\": ").append(report.took().toMillis()).append(",\n");
        out.append("  \"requestsAnnounced\": ").append(report.announced()).append(",\n");
        out.append("  \"requestsSent\": ").append(report.sent()).append(",\n");
        out.append("  \"findings\": ").append(report.findings().size()).append(",\n");
        out.append("  \"cases\": [");
        String separator = "\n";
        for (CaseResult result : report.results()) {
            out.append(separator);
            one(out, result);
            separator = ",\n";
        }
        return out.append("\n  ]\n}\n").toString();
    }

    private static void one(StringBuilder out, CaseResult result) {
        out.append("    {\n");
        member(out, "      ", "id", result.checkCase().id()).append(",\n");
        member(out, "      ", "title", result.checkCase().title()).append(",\n");
        member(out, "      ", "kind", lower(result.checkCase().kind())).append(",\n");
        member(out, "      ", "state", lower(result.state())).append(",\n");
        member(out, "      ", "expected", result.checkCase().expected()).append(",\n");
        member(out, "      ", "seen", result.seen()).append(",\n");
        member(out, "      ", "why", result.checkCase().why()).append(",\n");
        out.append("      \"millis\": ").append(result.took().toMillis()).append(",\n");
        out.append("      \"exchanges\": ");
        strings(out, result.exchanges());
        out.append("\n    }");
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static void strings(StringBuilder out, List<String> values) {
        out.append('[');
        for (int i = 0; i < values.size(); i++) {
            out.append(i == 0 ? "" : ", ");
            string(out, values.get(i));
        }
        out.append(']');
    }

    private static StringBuilder member(StringBuilder out, String indent, String name, String value) {
        out.append(indent).append('"').append(name).append("\": ");
        return string(out, value);
    }

    private static StringBuilder string(StringBuilder out, String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"');
    }
}
