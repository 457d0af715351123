package dev.semel.dynamodb;

import dev.semel.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Compares this machine's clock with the one in DynamoDB's answers, and refuses claims while they differ by more than
 * clocks may. Two machines that both pass differ by at most twice that, so each is allowed half of it.
 */
final class ClockGuard {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** The header has whole seconds. */
    private static final Duration RESOLUTION = Duration.ofSeconds(1);

    private final InstantSource clock;
    private final Duration maxClockSkew;
    private volatile Instant nextCheck = Instant.MIN;
    private volatile @Nullable Duration excess;

    ClockGuard(InstantSource clock, Duration maxClockSkew) {
        this.clock = clock;
        this.maxClockSkew = maxClockSkew;
    }

    /** Watches one request, from now until its answer. */
    Watch watch() {
        return new Watch(clock.instant());
    }

    final class Watch {

        private final Instant sent;

        private Watch(Instant sent) {
            this.sent = sent;
        }

        /** Looks at the answer; one a second is enough. */
        void saw(SdkHttpResponse response) {
            Instant received = clock.instant();
            if (received.isBefore(nextCheck)) {
                return;
            }
            nextCheck = received.plus(INTERVAL);
            response.firstMatchingHeader("Date").ifPresent(date -> compare(date, sent, received));
        }
    }

    private void compare(String date, Instant sent, Instant received) {
        Instant answered;
        try {
            answered = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
        } catch (DateTimeParseException e) {
            return;
        }
        // DynamoDB answered after the request was sent and before the answer came.
        Duration ahead = Duration.between(answered.plus(RESOLUTION), sent);
        Duration behind = Duration.between(received, answered);
        Duration difference = ahead.compareTo(behind) > 0 ? ahead : behind;
        excess = difference.multipliedBy(2).compareTo(maxClockSkew) > 0 ? difference : null;
    }

    void requireGoodClock() {
        Duration difference = excess;
        if (difference != null) {
            throw new StoreException(
                    "the clock of this machine differs from DynamoDB's by " + difference.toMillis()
                            + " ms, but at most "
                            + maxClockSkew.dividedBy(2).toMillis()
                            + " ms are allowed (half of maxClockSkew): claims are"
                            + " refused, because leases could be taken over too early. Synchronise the clock (NTP), or"
                            + " allow for a larger maxClockSkew on all machines",
                    null);
        }
    }
}
