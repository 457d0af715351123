package dev.semel.jdbc;

import dev.semel.jdbc.postgres.generations.PostgresGenerations;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Makes the scripts of a plain table, or of one that keeps its keys in generations, from the same text.
 *
 * <ul>
 *   <li>Between <code>-- {plain}</code> or <code>-- {generations}</code> and its end stands what only one of them has.
 *   <li>The text between <code>-- {each slot}</code> and its end is repeated for each slot, with <code>{slot}</code> as its
 *       number and <code>{place}</code> as its table. A plain table is its own only slot.
 *   <li>A text between <code>-- {define name}</code> and its end is put in wherever its name stands in braces, and as
 *       <code>{name of one}</code> with plain parameters in place of arrays.
 * </ul>
 */
final class SqlTemplate {

    private static final Pattern PLAIN = Pattern.compile("(?s)-- \\{plain}\n(.*?)-- \\{end plain}\n");
    private static final Pattern GENERATIONS = Pattern.compile("(?s)-- \\{generations}\n(.*?)-- \\{end generations}\n");
    private static final Pattern EACH_SLOT = Pattern.compile("(?s)-- \\{each slot}\n(.*?)-- \\{end slot}\n");
    private static final Pattern DEFINITION = Pattern.compile("(?s)-- \\{define ([^}]+)}\n(.*?)\n-- \\{end define}\n");

    private final boolean generations;
    private final Map<String, String> definitions = new LinkedHashMap<>();

    SqlTemplate(boolean generations, String definitions) {
        this.generations = generations;
        DEFINITION.matcher(parts(definitions)).results().forEach(found -> define(found.group(1), found.group(2)));
    }

    private void define(String name, String text) {
        definitions.put("{" + name + "}", text);
        definitions.put("{" + name + " of one}", text.replace("[i]", ""));
    }

    String expand(String script) {
        String defined = parts(script).lines().map(this::line).collect(Collectors.joining("\n", "", "\n"));
        return EACH_SLOT.matcher(defined).replaceAll(this::slots);
    }

    private String parts(String script) {
        String without = (generations ? PLAIN : GENERATIONS).matcher(script).replaceAll("");
        return (generations ? GENERATIONS : PLAIN).matcher(without).replaceAll("$1");
    }

    /** A line with the texts that it names, indented like the line itself. */
    private String line(String line) {
        String indent = line.substring(0, line.length() - line.stripLeading().length());
        String expanded = line;
        for (Map.Entry<String, String> definition : definitions.entrySet()) {
            expanded =
                    expanded.replace(definition.getKey(), definition.getValue().replace("\n", "\n" + indent));
        }
        return expanded;
    }

    private String slots(MatchResult repeated) {
        String text = repeated.group(1);
        return IntStream.range(0, generations ? PostgresGenerations.SLOTS : 1)
                .mapToObj(slot -> text.replace("{place}", generations ? "{key}_{slot}" : "{key}")
                        .replace("{slot}", Integer.toString(slot)))
                .map(Matcher::quoteReplacement)
                .collect(Collectors.joining());
    }
}
