package dev.semel.http.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A JSON Pointer (RFC 6901) into a tree of maps and lists. */
public record JsonPointer(List<String> steps) {

    private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");
    private static final Pattern BAD_ESCAPE = Pattern.compile("~(?![01])");

    /** As it is written, for example {@code /lines/0}. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (String step : steps) {
            text.append('/').append(step.replace("~", "~0").replace("/", "~1"));
        }
        return text.toString();
    }

    public static JsonPointer parse(String text) {
        if (!text.startsWith("/") || BAD_ESCAPE.matcher(text).find()) {
            throw new IllegalArgumentException(
                    "a JSON Pointer looks like /customer/id (a slash before each name, ~1 for"
                            + " a slash and ~0 for a tilde inside one), got \"" + text + "\"");
        }
        List<String> steps = new ArrayList<>();
        for (String step : text.substring(1).split("/", -1)) {
            steps.add(step.replace("~1", "/").replace("~0", "~"));
        }
        return new JsonPointer(List.copyOf(steps));
    }

    @Nullable
    Object find(Object root) {
        Object here = root;
        for (String step : steps) {
            here = child(here, step);
            if (here == null) {
                return null;
            }
        }
        return here;
    }

    /**
     * A copy of the tree, as far as needed, without the values at these pointers. They are removed together, so that
     * removing one array element does not shift the others.
     */
    static Object removeAll(Object root, List<JsonPointer> pointers) {
        return without(root, pointers.stream().map(JsonPointer::steps).toList());
    }

    private static Object without(Object here, List<List<String>> paths) {
        if (paths.isEmpty()) {
            return here;
        }
        if (here instanceof Map<?, ?> map) {
            Map<Object, Object> copy = new TreeMap<>();
            map.forEach((name, member) -> {
                List<List<String>> inside = inside(paths, (String) name);
                if (!inside.contains(List.<String>of())) {
                    copy.put(name, without(member, inside));
                }
            });
            return copy;
        }
        if (here instanceof List<?> list) {
            List<Object> copy = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                List<List<String>> inside = inside(paths, Integer.toString(i));
                if (!inside.contains(List.<String>of())) {
                    copy.add(without(list.get(i), inside));
                }
            }
            return copy;
        }
        return here;
    }

    /** What is left of the paths that begin with this step. */
    static List<List<String>> inside(List<List<String>> paths, String step) {
        return paths.stream()
                .filter(path -> path.get(0).equals(step))
                .map(path -> path.subList(1, path.size()))
                .toList();
    }

    private static @Nullable Object child(Object here, String step) {
        if (here instanceof Map<?, ?> map) {
            return map.get(step);
        }
        if (here instanceof List<?> list && INDEX.matcher(step).matches()) {
            int index = Integer.parseInt(step);
            return index < list.size() ? list.get(index) : null;
        }
        return null;
    }
}
