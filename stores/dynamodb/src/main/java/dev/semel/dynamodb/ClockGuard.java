package dev.semel.dynamodb;

import dev.semel.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Compares this machine's clock with the one in DynamoDB's answers, and refuses claims while they differ by more than
 * clocks may. Two machines that both pass differ by at most twice that, so each is allowed half of it.
 *
 * <p>A single answer bounds the difference from both sides, and not closely. So a clock that was found to be wrong is
 * good again only when an answer rules out that it still differs as it did.
 */
final class ClockGuard {

    /** The header has whole seconds. */
    private static final Duration RESOLUTION = Duration.ofSeconds(1);

    private final InstantSource clock;
    private final Duration allowed;
    private final AtomicReference<@Nullable Fault> fault = new AtomicReference<>();

    ClockGuard(InstantSource clock, Duration maxClockSkew) {
        this.clock = clock;
        this.allowed = maxClockSkew.dividedBy(2);
    }

    /** By how much the clock was found to be ahead at least; if negative, behind. */
    private record Fault(Duration ahead) {}

    /** Watches one request, from now until its answer. Begin before it is sent: a pause in between is not the clock's. */
    Watch watch() {
        return new Watch(fault.get(), clock.instant());
    }

    final class Watch {

        private final @Nullable Fault known;
        private final Instant sent;

        private Watch(@Nullable Fault known, Instant sent) {
            this.known = known;
            this.sent = sent;
        }

        /** Looks at the answer. */
        void saw(SdkHttpResponse response) {
            Instant received = clock.instant();
            response.firstMatchingHeader("Date").ifPresent(date -> compare(date, received));
        }

        private void compare(String date, Instant received) {
            Instant answered;
            try {
                answered = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant();
            } catch (DateTimeParseException e) {
                return;
            }
            // DynamoDB answered after the request was sent and before the answer came.
            Duration least = Duration.between(answered.plus(RESOLUTION), sent);
            Duration most = Duration.between(answered, received);
            if (least.compareTo(allowed) > 0) {
                fault.set(new Fault(least));
            } else if (most.negated().compareTo(allowed) > 0) {
                fault.set(new Fault(most));
            } else if (known != null
                    && (known.ahead().compareTo(least) < 0 || known.ahead().compareTo(most) > 0)) {
                // Unless somebody has found the clock wrong since this request was sent.
                fault.compareAndSet(known, null);
            }
        }
    }

    /** Whether the last answers showed a wrong clock, so that claims have to wait for one that shows a good one. */
    boolean foundWrong() {
        return fault.get() != null;
    }

    void requireGoodClock() {
        Fault found = fault.get();
        if (found != null) {
            throw new StoreException(
                    "the clock of this machine differs from DynamoDB's by "
                            + found.ahead().abs().toMillis()
                            + " ms, but at most "
                            + allowed.toMillis()
                            + " ms are allowed (half of maxClockSkew): claims are"
                            + " refused, because leases could be taken over too early. Synchronise the clock (NTP), or"
                            + " allow for a larger maxClockSkew on all machines",
                    null);
        }
    }
}
