package dev.semel.client.response;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The header {@code Retry-After}, which is a number of seconds or a date. */
public final class RetryAfter {

    private static final int MAX_DIGITS = 9;

    private RetryAfter() {}

    /** How long to wait; empty if the value has neither form. A date in the past means no wait. */
    public static Optional<Duration> parse(String value, Instant now) {
        String text = value.strip();
        if (!text.isEmpty() && text.length() <= MAX_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
        }
        return HttpDate.parse(text)
                .map(date -> Duration.between(now, date))
                .map(left -> left.isNegative() ? Duration.ZERO : left);
    }
}
