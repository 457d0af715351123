package dev.semel.check;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads how many effects there were out of whatever a probe answers. */
final class EffectCount {

    private static final Pattern COUNT = Pattern.compile("\"count\"\\s*:\\s*(\\d{1,18})");

    private EffectCount() {}

    static OptionalLong count(String answer) {
        String text = answer.strip();
        if (text.matches("\\d{1,18}")) {
            return OptionalLong.of(Long.parseLong(text));
        }
        if (text.startsWith("[") && text.endsWith("]")) {
            return OptionalLong.of(elements(text));
        }
        Matcher count = COUNT.matcher(text);
        return count.find() ? OptionalLong.of(Long.parseLong(count.group(1))) : OptionalLong.empty();
    }

    private static long elements(String array) {
        int depth = 0;
        boolean quoted = false;
        long commas = 0;
        for (int i = 0; i < array.length(); i++) {
            char c = array.charAt(i);
            if (quoted) {
                i += c == '\\' ? 1 : 0;
                quoted = c != '"';
            } else if (c == '"') {
                quoted = true;
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
            } else if (c == ',' && depth == 1) {
                commas++;
            }
        }
        return array.substring(1, array.length() - 1).isBlank() ? 0 : commas + 1;
    }
}
