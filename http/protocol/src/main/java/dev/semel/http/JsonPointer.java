package dev.semel.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A JSON Pointer (RFC 6901) into a tree of maps and lists. */
record JsonPointer(List<String> steps) {

    private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");
    private static final Pattern BAD_ESCAPE = Pattern.compile("~(?![01])");

    static JsonPointer parse(String text) {
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

    /** A copy of the tree, as far as needed, without what this points to. */
    Object remove(Object root) {
        return remove(root, 0);
    }

    private Object remove(Object here, int depth) {
        String step = steps.get(depth);
        Object child = child(here, step);
        if (child == null) {
            return here;
        }
        boolean last = depth == steps.size() - 1;
        if (here instanceof Map<?, ?> map) {
            Map<Object, Object> copy = new TreeMap<>(map);
            if (last) {
                copy.remove(step);
            } else {
                copy.put(step, remove(child, depth + 1));
            }
            return copy;
        }
        List<Object> copy = new ArrayList<>((List<?>) here);
        int index = Integer.parseInt(step);
        if (last) {
            copy.remove(index);
        } else {
            copy.set(index, remove(child, depth + 1));
        }
        return copy;
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
