package dev.semel.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The members of a JSON object as they are written, to write them differently. */
final class JsonShape {

    private record Member(String name, String value) {}

    private final List<Member> members = new ArrayList<>();

    private JsonShape() {}

    /** Takes an object apart; empty if the text is none. */
    static Optional<JsonShape> of(String text) {
        String object = text.strip();
        if (!object.startsWith("{") || !object.endsWith("}")) {
            return Optional.empty();
        }
        JsonShape shape = new JsonShape();
        for (String member : split(object.substring(1, object.length() - 1))) {
            int colon = colon(member);
            if (colon < 0) {
                return Optional.empty();
            }
            shape.members.add(new Member(
                    member.substring(0, colon).strip(),
                    member.substring(colon + 1).strip()));
        }
        return Optional.of(shape);
    }

    /** At the commas that are neither in a string nor in another value. */
    static List<String> split(String inner) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        boolean quoted = false;
        for (int i = 0; i < inner.length(); i++) {
            char c = inner.charAt(i);
            if (quoted) {
                i += c == '\\' ? 1 : 0;
                quoted = c != '"';
            } else if (c == '"') {
                quoted = true;
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
            } else if (c == ',' && depth == 0) {
                parts.add(inner.substring(start, i));
                start = i + 1;
            }
        }
        if (!inner.substring(start).isBlank()) {
            parts.add(inner.substring(start));
        }
        return parts;
    }

    private static int colon(String member) {
        String text = member.strip();
        int end = 1;
        while (end < text.length() && text.charAt(end) != '"') {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        return text.startsWith("\"") && end < text.length() ? member.indexOf(':', member.indexOf(text) + end) : -1;
    }

    boolean canBeReordered() {
        return members.size() > 1;
    }

    String reordered() {
        List<Member> reversed = new ArrayList<>(members);
        java.util.Collections.reverse(reversed);
        return write(reversed, "", "");
    }

    String spacedOut() {
        return write(members, "\n    ", "  ");
    }

    /** The same with one value changed: a number if there is one, or else a string, or else a member more. */
    String changed() {
        List<Member> copy = new ArrayList<>(members);
        if (!change(copy, "[0-9]{1,9}", value -> Integer.toString(Integer.parseInt(value) + 1))
                && !change(copy, "(?s)\".*", value -> value.substring(0, value.length() - 1) + "x\"")) {
            copy.add(new Member("\"semelCheck\"", "1"));
        }
        return write(copy, "", "");
    }

    /** Changes the first value of this form, if there is one. */
    private static boolean change(List<Member> members, String form, UnaryOperator<String> how) {
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            if (member.value.matches(form)) {
                members.set(i, new Member(member.name, how.apply(member.value)));
                return true;
            }
        }
        return false;
    }

    private static String write(List<Member> members, String before, String around) {
        StringBuilder text = new StringBuilder("{");
        for (Member member : members) {
            String separator = text.length() > 1 ? "," : "";
            text.append(separator + before + member.name + around + ":" + around + member.value);
        }
        return text.append(before.isEmpty() ? "" : "\n").append('}').toString();
    }
}
