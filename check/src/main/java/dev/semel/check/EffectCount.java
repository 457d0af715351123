package dev.semel.check;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the number of effects from the answer of a probe. */
final class EffectCount {

    private static final Pattern COUNT = Pattern.compile("\"count\"\\s*:\\s*(\\d{1,18})");

    private EffectCount() {}

    static OptionalLong count(String answer) {
        String text = answer.strip();
        if (text.matches("\\d{1,18}")) {
            return OptionalLong.of(Long.parseLong(text));
        }
        if (text.startsWith("[") && text.endsWith("]")) {
            return OptionalLong.of(
                    JsonShape.split(text.substring(1, text.length() - 1)).size());
        }
        Matcher count = COUNT.matcher(text);
        return count.find() ? OptionalLong.of(Long.parseLong(count.group(1))) : OptionalLong.empty();
    }
}
