package dev.semel.http.fingerprint;

import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The media type of a request body, without parameters that do not change its meaning. */
record ContentType(String canonical, boolean json) {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final ContentType NONE = new ContentType("", false);
    private static final ContentType JSON = new ContentType("application/json", true);

    /** All lines of the field. There should be one; with two, it is not known which one the application reads. */
    static ContentType parse(List<String> lines) {
        if (lines.size() == 1 && !lines.get(0).isBlank()) {
            return parse(lines.get(0));
        }
        List<ContentType> types = lines.stream()
                .filter(line -> !line.isBlank())
                .map(ContentType::parse)
                .toList();
        return switch (types.size()) {
            case 0 -> NONE;
            case 1 -> types.get(0);
            default ->
                new ContentType(
                        types.stream().map(ContentType::canonical).collect(Collectors.joining(", ")),
                        types.stream().allMatch(ContentType::json));
        };
    }

    /** Whether this is a form in UTF-8, which is the default for a form without a charset. */
    boolean isForm() {
        return canonical.equals(FORM) || canonical.equals(FORM + ";charset=utf-8");
    }

    private static ContentType parse(String field) {
        if (field.equals(JSON.canonical)) {
            return JSON;
        }
        String[] parts = field.split(";", -1);
        String type = parts[0].strip().toLowerCase(Locale.ROOT);
        boolean json = type.equals("application/json") || type.endsWith("+json");
        TreeSet<String> parameters = new TreeSet<>();
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            String name = parameter.split("=", 2)[0].toLowerCase(Locale.ROOT);
            if (name.equals("charset")) {
                parameter = parameter.toLowerCase(Locale.ROOT).replace("\"", "");
            }
            if (!parameter.isEmpty() && !saysNothing(type, json, name)) {
                parameters.add(parameter);
            }
        }
        return new ContentType(parameters.isEmpty() ? type : type + ";" + String.join(";", parameters), json);
    }

    /** JSON has no charset (RFC 8259), and the boundary of a multipart body is new for each try. */
    private static boolean saysNothing(String type, boolean json, String parameter) {
        return json ? parameter.equals("charset") : type.startsWith("multipart/") && parameter.equals("boundary");
    }
}
