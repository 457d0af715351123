package dev.semel.http.key;

import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The form of a key.
 *
 * @param wanted what keys are, for people
 * @param time the time in a key of this form; {@code null} if it has none
 */
record KeyShape(
        String wanted, Predicate<String> matches, @Nullable Function<String, Instant> time) {

    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");
    private static final Pattern UUID_V4 = ofVersion(4);
    private static final Pattern UUID_V7 = ofVersion(7);

    private static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final Pattern ULID = Pattern.compile("[0-7][" + CROCKFORD + "]{25}");
    private static final int ULID_TIME = 10;

    private static final int HEX = 16;
    private static final int MOST_BITS = 1000;

    static KeyShape any() {
        return new KeyShape("any", key -> true, null);
    }

    static KeyShape parse(String text) {
        int colon = text.indexOf(':');
        String rest = text.substring(colon + 1);
        return switch (colon < 0 ? text : text.substring(0, colon + 1)) {
            case "any" -> any();
            case "uuid" -> new KeyShape("a UUID", matching(UUID), null);
            case "uuidv4" -> new KeyShape("a UUID of version 4", matching(UUID_V4), null);
            case "uuidv7" -> new KeyShape("a UUID of version 7", matching(UUID_V7), KeyShape::timeOfUuid);
            case "ulid" -> new KeyShape("a ULID in upper case", matching(ULID), KeyShape::timeOfUlid);
            case "pattern:" -> pattern(rest);
            case "entropy:" -> entropy(rest);
            default ->
                throw new IllegalArgumentException(
                        "expected any, uuid, uuidv4, uuidv7, ulid, pattern:REGEX or entropy:BITS, got \"" + text
                                + "\"");
        };
    }

    private static Pattern ofVersion(int version) {
        return Pattern.compile(
                "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-" + version + "[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}");
    }

    private static Predicate<String> matching(Pattern pattern) {
        return key -> pattern.matcher(key).matches();
    }

    private static KeyShape pattern(String regex) {
        try {
            Pattern pattern = Pattern.compile(regex);
            return new KeyShape("a key of the form " + regex, key -> BoundedText.matches(pattern, key), null);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("\"" + regex + "\" is no regular expression: " + e.getDescription(), e);
        }
    }

    private static KeyShape entropy(String bits) {
        if (!bits.matches("[0-9]{1,4}") || Integer.parseInt(bits) > MOST_BITS) {
            throw new IllegalArgumentException(
                    "expected a number of bits up to " + MOST_BITS + ", got \"" + bits + "\"");
        }
        int least = Integer.parseInt(bits);
        return new KeyShape(
                "a key that is hard to guess (at least " + bits + " bits, such as a random UUID)",
                key -> entropyOf(key) >= least,
                null);
    }

    /** The entropy of the text by how often each of its characters is there, in bits: an estimate, which favours long keys. */
    static double entropyOf(String key) {
        double bits = 0;
        Map<Integer, Long> counts = key.chars().boxed().collect(Collectors.groupingBy(c -> c, Collectors.counting()));
        for (long count : counts.values()) {
            bits -= count * Math.log((double) count / key.length()) / Math.log(2);
        }
        return bits;
    }

    boolean isUuid() {
        return wanted.startsWith("a UUID");
    }

    boolean hasTime() {
        return time != null;
    }

    /** Checks the form of a key; returns the problem, without the key itself, or {@code null} if the form is right. */
    @Nullable
    String complaint(String key) {
        return matches.test(key) ? null : "The key must be " + wanted + ".";
    }

    /** The time in a key that has this form. */
    @Nullable
    Instant time(String key) {
        return time == null ? null : time.apply(key);
    }

    private static Instant timeOfUuid(String key) {
        return Instant.ofEpochMilli(Long.parseLong(key.substring(0, 8) + key.substring(9, 13), HEX));
    }

    private static Instant timeOfUlid(String key) {
        long millis = 0;
        for (int i = 0; i < ULID_TIME; i++) {
            millis = millis * CROCKFORD.length() + CROCKFORD.indexOf(key.charAt(i));
        }
        return Instant.ofEpochMilli(millis);
    }
}
