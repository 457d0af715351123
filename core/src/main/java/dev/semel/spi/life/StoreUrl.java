package dev.semel.spi.life;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A URL such as {@code scheme://user:password@host:1,host:2/path?name=value}.
 *
 * @param user {@code null} if the URL has none
 * @param hosts each with its port
 * @param path without the slash before it; {@code semel} if the URL has none
 */
public record StoreUrl(
        @Nullable String user, String password, List<String> hosts, String path, Map<String, String> options) {

    /** Reads a URL of this form. Other parameters than the known ones are refused. */
    public static StoreUrl parse(String url, String form, List<String> known) {
        String scheme = form.substring(0, form.indexOf("://") + 3);
        String[] parts = url.split("\\?", 2);
        if (!parts[0].startsWith(scheme) || parts[0].length() == scheme.length()) {
            throw new IllegalArgumentException("the URL of this store looks like " + form);
        }
        String[] place = parts[0].substring(scheme.length()).split("/", 2);
        int at = place[0].lastIndexOf('@');
        String[] user = place[0].substring(0, Math.max(at, 0)).split(":", 2);
        return new StoreUrl(
                at < 0 ? null : decoded(user[0]),
                user.length == 1 ? "" : decoded(user[1]),
                List.of(place[0].substring(at + 1).split(",")),
                place.length == 1 || place[1].isEmpty() ? "semel" : place[1],
                parameters(parts.length == 1 ? "" : parts[1], scheme, known));
    }

    /** Reads the parameters of a URL. Unknown ones are refused. */
    public static Map<String, String> parameters(String query, String scheme, List<String> known) {
        Map<String, String> parameters = new HashMap<>();
        for (String parameter : query.isEmpty() ? new String[0] : query.split("&")) {
            String[] pair = parameter.split("=", 2);
            if (pair.length == 1 || !known.contains(pair[0])) {
                throw new IllegalArgumentException("\"" + pair[0] + "\" is not a known parameter with a value in"
                        + " a URL of " + scheme
                        + "; known are " + String.join("=, ", known) + "=");
            }
            parameters.put(pair[0], decoded(pair[1]));
        }
        return Map.copyOf(parameters);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    public String option(String name, String otherwise) {
        return options.getOrDefault(name, otherwise);
    }

    /** The parameter {@code maxClockSkew}, in milliseconds, or two seconds. */
    public Duration maxClockSkew() {
        String millis = option("maxClockSkew", "2000");
        try {
            return Duration.ofMillis(Long.parseLong(millis));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "maxClockSkew must be a number of milliseconds, got \"" + millis + "\"", e);
        }
    }

    /** Leaves the password out. */
    @Override
    public String toString() {
        return "StoreUrl[" + String.join(",", hosts) + "/" + path + "]";
    }
}
