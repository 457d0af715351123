package dev.semel.http.header;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The header with the time until which a key replays. */
public final class Expiry {

    public static final String HEADER = "Idempotency-Expires";

    /** HTTP wants two digits for the day, which {@link DateTimeFormatter#RFC_1123_DATE_TIME} does not give. */
    private static final DateTimeFormatter IMF_FIXDATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Expiry() {}

    public static String format(Instant instant) {
        return IMF_FIXDATE.format(instant);
    }
}
