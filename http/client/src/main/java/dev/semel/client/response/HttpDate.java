package dev.semel.client.response;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** A date in a header. */
public final class HttpDate {

    private HttpDate() {}

    public static Optional<Instant> parse(String value) {
        try {
            return Optional.of(ZonedDateTime.parse(value.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException notADate) {
            return Optional.empty();
        }
    }
}
