package dev.semel.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Horizontal bars, one below the other, as a picture that browsers show. */
final class SvgChart {

    private static final int WIDTH = 760;
    private static final int LABELS = 220;
    private static final int VALUES = 60;
    private static final int BAR = 22;
    private static final int GAP = 10;
    private static final int TOP = 56;

    private record Bar(String label, double value) {}

    private final String title;
    private final List<Bar> bars = new ArrayList<>();

    SvgChart(String title) {
        this.title = title;
    }

    void bar(String label, double value) {
        bars.add(new Bar(label, value));
    }

    @Override
    public String toString() {
        int height = TOP + bars.size() * (BAR + GAP) + GAP;
        double longest = bars.stream().mapToDouble(Bar::value).max().orElse(1);
        StringBuilder svg = new StringBuilder(
                String.format(Locale.ROOT, """
                <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img"\
                 font-family="system-ui, sans-serif" font-size="14">
                <title>%s</title>
                <rect width="100%%" height="100%%" fill="#ffffff"/>
                <text x="16" y="30" font-size="17" font-weight="600" fill="#1f2430">%s</text>
                """, WIDTH, height, WIDTH, height, escape(title), escape(title)));
        int y = TOP;
        for (Bar bar : bars) {
            double length = Math.max(1, bar.value() / longest * (WIDTH - LABELS - VALUES - 16));
            svg.append(String.format(
                    Locale.ROOT,
                    """
                    <text x="%d" y="%d" text-anchor="end" fill="#1f2430">%s</text>
                    <rect x="%d" y="%d" width="%.1f" height="%d" rx="3" fill="%s"/>
                    <text x="%.1f" y="%d" fill="#1f2430">%.1f</text>
                    """,
                    LABELS - 10,
                    y + 16,
                    escape(bar.label()),
                    LABELS,
                    y,
                    length,
                    BAR,
                    bar.label().startsWith("semel") ? "#2f6f9f" : "#b6bcc6",
                    LABELS + length + 8,
                    y + 16,
                    bar.value()));
            y += BAR + GAP;
        }
        return svg.append("</svg>\n").toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
