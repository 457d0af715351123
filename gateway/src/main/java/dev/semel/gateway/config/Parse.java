package dev.semel.gateway.config;

import dev.semel.check.Secrets;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the values of settings. An invalid value causes an {@link IllegalArgumentException} that names it. */
public final class Parse {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})([kmg]?)");

    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    private Parse() {}

    public static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "expected a duration such as 500ms, 30s, 5m, 24h or 7d, got \"" + text + "\"");
        }
        ChronoUnit unit = switch (matcher.group(2)) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MINUTES;
            case "h" -> ChronoUnit.HOURS;
            default -> ChronoUnit.DAYS;
        };
        return Duration.of(Long.parseLong(matcher.group(1)), unit);
    }

    public static Duration positiveDuration(String text) {
        Duration duration = duration(text);
        if (duration.isZero()) {
            throw new IllegalArgumentException("must be more than zero, got \"" + text + "\"");
        }
        return duration;
    }

    public static long size(String text) {
        Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "expected a size in bytes such as 65536, 64k, 10m or 1g, got \"" + text + "\"");
        }
        int shift = switch (matcher.group(2)) {
            case "k" -> 10;
            case "m" -> 20;
            case "g" -> 30;
            default -> 0;
        };
        return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift);
    }

    static int intSize(String text) {
        long size = size(text);
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("must be less than 2g, got \"" + text + "\"");
        }
        return (int) size;
    }

    public static int number(String text, int least) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a whole number, got \"" + text + "\"", e);
        }
        throw new IllegalArgumentException("must be at least " + least + ", got \"" + text + "\"");
    }

    static boolean bool(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("expected true or false, got \"" + text + "\"");
        };
    }

    static URI url(String text) {
        try {
            URI uri = new URI(text);
            boolean http = "http".equalsIgnoreCase(uri.getScheme()) || isTls(uri);
            if (http && uri.getHost() != null && uri.getUserInfo() == null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("expected an http or https URL, got \"" + Secrets.url(text) + "\"");
        }
        throw new IllegalArgumentException(
                "expected an http or https URL without user name, got \"" + Secrets.url(text) + "\"");
    }

    static boolean isTls(URI url) {
        return "https".equalsIgnoreCase(url.getScheme());
    }

    /** The host and port of a URL; an IPv6 address has no brackets. */
    static Address address(URI url) {
        String host = url.getHost();
        int standard = isTls(url) ? HTTPS : HTTP;
        return new Address(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                url.getPort() < 0 ? standard : url.getPort());
    }

    /** The constant of an enum, written in lower case with dashes. */
    static <E extends Enum<E>> E choice(Class<E> type, String text) {
        for (E constant : type.getEnumConstants()) {
            if (written(constant).equals(text)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("expected one of "
                + String.join(
                        ", ",
                        Arrays.stream(type.getEnumConstants())
                                .map(Parse::written)
                                .toList())
                + ", got \"" + text + "\"");
    }

    private static String written(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
