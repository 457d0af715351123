package dev.semel.cli.move;

import dev.semel.util.Text;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.TemporalAccessor;
import java.util.regex.Pattern;

/** Reads times as databases and applications write them. */
final class RowTime {

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,16}");

    /** Seconds up to the year 5138; a larger number is of milliseconds. */
    private static final long MAX_SECONDS = 99_999_999_999L;

    private static final DateTimeFormatter TEXT = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendLiteral('T')
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .appendPattern("[XXX][XX][X]")
            .toFormatter();

    private RowTime() {}

    /** Reads seconds or milliseconds since 1970, or a date and a time with or without an offset. */
    static Instant parse(String what, String text, ZoneId zone) {
        if (NUMBER.matcher(text).matches()) {
            long number = Long.parseLong(text);
            return number > MAX_SECONDS ? Instant.ofEpochMilli(number) : Instant.ofEpochSecond(number);
        }
        try {
            String iso = text.strip().replaceFirst(" ", "T").replace(" ", "");
            TemporalAccessor time = TEXT.parseBest(iso, OffsetDateTime::from, LocalDateTime::from);
            return time instanceof OffsetDateTime exact
                    ? exact.toInstant()
                    : ((LocalDateTime) time).atZone(zone).toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    what + ": expected a time such as 2026-01-31T12:00:00Z, 2026-01-31 12:00:00 or seconds since 1970,"
                            + " got " + Text.quote(text),
                    e);
        }
    }
}
