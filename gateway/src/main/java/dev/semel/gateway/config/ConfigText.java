package dev.semel.gateway.config;

import dev.semel.check.Secrets;
import dev.semel.gateway.config.GatewayConfig.RouteSection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Prints the effective settings as a configuration file, without secrets. */
public final class ConfigText {

    /** Values that mean the same in YAML with and without quotes. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/][A-Za-z0-9_./-]*");

    /** Settings that may contain a password. */
    private static final Set<Setting> ADDRESSES = EnumSet.of(Setting.STORE, Setting.UPSTREAM, Setting.PEER);

    private ConfigText() {}

    public static String of(Settings settings, List<RouteSection> sections) {
        StringBuilder text = new StringBuilder();
        append(text, settings, "");
        if (!sections.isEmpty()) {
            text.append("routes:\n");
        }
        for (RouteSection section : sections) {
            text.append("  - path: ").append(section.path().text()).append('\n');
            text.append("    operation: ").append(section.operation()).append('\n');
            append(text, section.settings(), "    ");
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Settings settings, String indent) {
        settings.shown()
                .forEach((setting, shown) -> text.append(indent)
                        .append(setting.key())
                        .append(": ")
                        .append(value(setting, shown.values()))
                        .append("   # ")
                        .append(shown.where())
                        .append('\n'));
    }

    private static String value(Setting setting, List<String> values) {
        if (setting == Setting.ADMIN_TOKEN) {
            return "(not shown)";
        }
        String text = values.stream()
                .map(value -> ADDRESSES.contains(setting) ? Secrets.url(value) : value)
                .map(ConfigText::quoted)
                .collect(Collectors.joining(", "));
        return setting.isList() ? "[" + text + "]" : text;
    }

    private static String quoted(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "''") + "'";
    }
}
