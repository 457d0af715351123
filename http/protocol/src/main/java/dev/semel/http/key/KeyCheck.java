package dev.semel.http.key;

import dev.semel.util.Durations;
import dev.semel.util.Text;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The required form of an operation's keys, and how old they may be. It applies to keys that clients choose.
 *
 * <p>If a key contains a time, or a header does, it can be too old. It is then refused without a store lookup, so
 * expired keys need no storage.
 */
public final class KeyCheck {

    /** The default for how much the clocks of clients and servers may differ. */
    public static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(5);

    private static final KeyCheck ANY = new KeyCheck(KeyShape.any(), null, DEFAULT_TOLERANCE, null);

    private final KeyShape shape;
    private final @Nullable Duration maxAge;
    private final Duration tolerance;
    private final @Nullable String timeHeader;

    private KeyCheck(KeyShape shape, @Nullable Duration maxAge, Duration tolerance, @Nullable String timeHeader) {
        this.shape = shape;
        this.maxAge = maxAge;
        this.tolerance = tolerance;
        this.timeHeader = timeHeader;
    }

    /** Any key, of any age. */
    public static KeyCheck any() {
        return ANY;
    }

    /**
     * Keys of this form: {@code any}, {@code uuid}, {@code uuidv4}, {@code uuidv7}, {@code ulid}, {@code pattern:REGEX} for
     * those that match as a whole, or {@code entropy:BITS} for those that are unlikely to be guessed or repeated.
     */
    public static KeyCheck of(String format) {
        return new KeyCheck(KeyShape.parse(format), null, DEFAULT_TOLERANCE, null);
    }

    /**
     * The same, for keys that are at most this old. The time is that of a UUID of version 7 or of a ULID, or the one in the
     * {@link #withTimeHeader} header.
     */
    public KeyCheck withMaxAge(Duration age) {
        return new KeyCheck(shape, Durations.requirePositive("oldest age of a key", age), tolerance, timeHeader);
    }

    /** The same, with clocks that may differ by this much. */
    public KeyCheck withTolerance(Duration difference) {
        return new KeyCheck(
                shape, maxAge, Durations.requireNotNegative("tolerance for clocks", difference), timeHeader);
    }

    /** The same, with the time in this header, as an HTTP date: when the client sent the request for the first time. */
    public KeyCheck withTimeHeader(String name) {
        Text.requireHeaderName(name);
        return new KeyCheck(shape, maxAge, tolerance, name);
    }

    /** The JSON Schema format of keys; {@code null} if there is none. */
    public @Nullable String format() {
        return shape.isUuid() ? "uuid" : null;
    }

    /** Whether keys can be too old. */
    public boolean boundsAge() {
        return maxAge != null;
    }

    /**
     * Refuses an age that does not protect: the stored outcome must exist as long as a key is accepted.
     *
     * @param retention how long outcomes are kept
     */
    public void requireWithin(Duration retention) {
        if (maxAge == null) {
            return;
        }
        if (timeHeader == null && !shape.hasTime()) {
            throw new IllegalArgumentException("a maximum age of " + maxAge + " needs keys with a time in them: use the"
                    + " format uuidv7 or ulid, or name the header that has the time");
        }
        Duration accepted = maxAge.plus(tolerance.multipliedBy(2));
        if (accepted.compareTo(retention) > 0) {
            throw new IllegalArgumentException("keys are accepted for " + accepted + " (their maximum age " + maxAge
                    + ", and twice the tolerance for clocks, " + tolerance + "), but outcomes are kept for " + retention
                    + " only, after which a retry would run again: make the retention longer or the age shorter");
        }
    }

    /**
     * Checks a key; returns the problem, or {@code null} if the key is valid.
     *
     * @param headers gives all field lines of a name
     */
    public @Nullable Defect check(String key, Function<String, List<String>> headers, InstantSource clock) {
        String complaint = shape.complaint(key);
        if (complaint != null) {
            return new Defect(false, complaint);
        }
        if (maxAge == null) {
            return null;
        }
        Instant time = timeHeader == null ? shape.time(key) : time(headers.apply(timeHeader));
        if (time == null) {
            return new Defect(
                    false,
                    "This operation needs a " + timeHeader + " header with one HTTP date: when it was first sent.");
        }
        Instant now = clock.instant();
        if (time.isAfter(now.plus(tolerance))) {
            return new Defect(false, "The time of this key is in the future.");
        }
        return time.isBefore(now.minus(maxAge).minus(tolerance))
                ? new Defect(
                        true,
                        "This key is older than " + maxAge
                                + ". Whether its operation was run is no longer known, and it is not run under this key.")
                : null;
    }

    private static @Nullable Instant time(List<String> lines) {
        if (lines.size() != 1) {
            return null;
        }
        try {
            return DateTimeFormatter.RFC_1123_DATE_TIME
                    .withLocale(Locale.ROOT)
                    .parse(lines.get(0).strip(), Instant::from);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /**
     * The reason why a key is refused.
     *
     * @param expired whether it is only too old, and otherwise valid
     * @param detail for the client
     */
    public record Defect(boolean expired, String detail) {}
}
