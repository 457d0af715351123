package dev.semel.gateway.stats;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The dashboard and the rules that are shipped. */
final class ObservabilityFiles {

    static final Path DIRECTORY = Path.of("../packaging/observability");

    private static final Pattern MINUTES = Pattern.compile("(for: |\\[|offset )(\\d+)([mhd])(]?)");
    private static final Pattern SECONDS = Pattern.compile("(_seconds\\) > )(\\d+)");

    private ObservabilityFiles() {}

    static String rules() throws IOException {
        return Files.readString(DIRECTORY.resolve("semel-rules.yml"));
    }

    /** The rules as they are, but for a world in which everything happens that much faster. */
    static String rulesFasterBy(int factor) throws IOException {
        String scaled = MINUTES.matcher(rules()).replaceAll(found -> {
            long seconds = Long.parseLong(found.group(2))
                    * switch (found.group(3)) {
                        case "m" -> 60;
                        case "h" -> 3_600;
                        default -> 86_400;
                    };
            return Matcher.quoteReplacement(
                    found.group(1) + Math.max(1, seconds * 1_000 / factor) + "ms" + found.group(4));
        });
        return SECONDS.matcher(scaled)
                .replaceAll(found -> found.group(1) + Double.parseDouble(found.group(2)) / factor);
    }

    /** Every query of the dashboard, with its variables filled in, by the panel's title and the line's name. */
    static Map<String, String> queries(String rateInterval) throws IOException {
        JsonObject dashboard = new JsonObject(Files.readString(DIRECTORY.resolve("semel-dashboard.json")));
        Map<String, String> queries = new LinkedHashMap<>();
        JsonArray panels = dashboard.getJsonArray("panels");
        for (int i = 0; i < panels.size(); i++) {
            JsonObject panel = panels.getJsonObject(i);
            JsonArray targets = panel.getJsonArray("targets", new JsonArray());
            for (int j = 0; j < targets.size(); j++) {
                JsonObject target = targets.getJsonObject(j);
                queries.put(
                        panel.getString("title") + " / " + target.getString("legendFormat"),
                        target.getString("expr")
                                .replace("$__rate_interval", rateInterval)
                                .replace("$job", ".*")
                                .replace("$store", ".*")
                                .replace("$operation", ".*"));
            }
        }
        return queries;
    }
}
