package dev.semel.check;

import dev.semel.check.CheckTarget.HeaderLine;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Keeps secrets out of messages and reports, which are passed around. */
public final class Secrets {

    private static final String HIDDEN = "***";

    /** The words in the names of headers with secret values. */
    private static final List<String> NAMES = List.of(
            "auth",
            "cookie",
            "credential",
            "csrf",
            "jwt",
            "key",
            "pass",
            "private",
            "secret",
            "session",
            "signature",
            "token",
            "xsrf");

    /** Servers, each with a port or without; more than one for a cluster. */
    private static final Pattern SERVERS =
            Pattern.compile("[^/:@]*(?::[0-9]*)?(?:,[^/:@]*(?::[0-9]*)?)*|\\[[0-9A-Fa-f:.%]+](?::[0-9]*)?");

    private static final Pattern SECRET_PARAMETER =
            Pattern.compile("(?i)[?&;][a-z_-]*(?:pass|secret|token|key)[a-z_-]*=([^&;]{3,})");

    private Secrets() {}

    /** A header in one line; its value only if its name does not say that it is secret. */
    static String line(HeaderLine line) {
        String name = line.name().toLowerCase(Locale.ROOT);
        return line.name() + ": " + (NAMES.stream().anyMatch(name::contains) ? HIDDEN : line.value());
    }

    /** A URL without user name and password, and without the values of its parameters. */
    public static String url(String url) {
        int question = url.indexOf('?');
        String place = question < 0 ? url : url.substring(0, question);
        int start = place.indexOf("//") + 2;
        if (start >= 2) {
            // The last one: an unescaped password may contain some itself.
            place = place.substring(0, start) + servers(place.substring(Math.max(start, place.lastIndexOf('@') + 1)));
        }
        return question < 0 ? place : place + "?" + withoutValues(url.substring(question + 1));
    }

    /** A message, for example of a driver, without the secrets of a URL that it may repeat. */
    public static String without(String url, String message) {
        String clean = message.replace(url, url(url));
        int start = url.indexOf("//") + 2;
        int end = url.lastIndexOf('@');
        if (start >= 2 && end > start) {
            String user = url.substring(start, end);
            clean = clean.replace(user, HIDDEN);
            if (user.indexOf(':') + 1 < user.length()) {
                clean = clean.replace(user.substring(user.indexOf(':') + 1), HIDDEN);
            }
        }
        Matcher parameters = SECRET_PARAMETER.matcher(url);
        while (parameters.find()) {
            clean = clean.replace(parameters.group(1), HIDDEN);
        }
        return clean;
    }

    private static String servers(String place) {
        int end = place.indexOf('/');
        String servers = end < 0 ? place : place.substring(0, end);
        int parameters = servers.indexOf(';');
        if (parameters >= 0) {
            servers = servers.substring(0, parameters);
        }
        String path = end < 0 ? "" : place.substring(end).replaceAll("(;[^=;/]*)=[^;/]*", "$1=" + HIDDEN);
        return (SERVERS.matcher(servers).matches() ? servers : HIDDEN) + path;
    }

    private static String withoutValues(String parameters) {
        return Stream.of(parameters.split("&"))
                .map(parameter -> parameter.indexOf('=') < 0
                        ? HIDDEN
                        : parameter.substring(0, parameter.indexOf('=') + 1) + HIDDEN)
                .collect(Collectors.joining("&"));
    }
}
