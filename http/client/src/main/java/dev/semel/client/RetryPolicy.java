package dev.semel.client;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** The settings for retries: how often, how fast and for how long. */
public final class RetryPolicy {

    private final int maxAttempts;
    private final Duration attemptTimeout;
    private final Duration deadline;
    private final Duration firstDelay;
    private final Duration maxDelay;
    private final Set<Integer> finalStatuses;
    private final Duration keyRetention;

    private RetryPolicy(Builder builder) {
        this.maxAttempts = builder.maxAttempts;
        this.attemptTimeout = builder.attemptTimeout;
        this.deadline = builder.deadline;
        this.firstDelay = builder.firstDelay;
        this.maxDelay = builder.maxDelay;
        this.finalStatuses = Set.copyOf(builder.finalStatuses);
        this.keyRetention = builder.keyRetention;
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("there must be at least 1 attempt, got " + maxAttempts);
        }
        positive("the time for one attempt", attemptTimeout);
        positive("the first delay", firstDelay);
        positive("the retention of keys", keyRetention);
        if (deadline.compareTo(attemptTimeout) < 0) {
            throw new IllegalArgumentException("the deadline for all attempts (" + deadline
                    + ") is shorter than one attempt may take (" + attemptTimeout
                    + "): raise deadline or lower attemptTimeout");
        }
        if (maxDelay.compareTo(firstDelay) < 0) {
            throw new IllegalArgumentException(
                    "the longest delay (" + maxDelay + ") is shorter than the first (" + firstDelay + ")");
        }
    }

    private static void positive(String what, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, got " + value);
        }
    }

    /** Up to 8 attempts of at most 10 seconds each, within a minute. */
    public static RetryPolicy standard() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    int maxAttempts() {
        return maxAttempts;
    }

    Duration attemptTimeout() {
        return attemptTimeout;
    }

    Duration deadline() {
        return deadline;
    }

    Duration firstDelay() {
        return firstDelay;
    }

    Duration keyRetention() {
        return keyRetention;
    }

    boolean isFinal(int status) {
        return finalStatuses.contains(status);
    }

    RetryPolicy once() {
        Builder copy = builder();
        copy.maxAttempts = 1;
        copy.attemptTimeout = attemptTimeout;
        copy.deadline = deadline;
        copy.finalStatuses.addAll(finalStatuses);
        copy.keyRetention = keyRetention;
        return copy.build();
    }

    /** Anything from nothing to the exponential delay after this many attempts, as {@code random} from 0 to 1 says. */
    Duration delay(int attempts, double random) {
        double exponential = firstDelay.toNanos() * Math.pow(2, Math.min(attempts - 1, 60));
        return Duration.ofNanos((long) (Math.min(exponential, maxDelay.toNanos()) * random));
    }

    /** Builds a {@link RetryPolicy}. */
    public static final class Builder {

        private int maxAttempts = 8;
        private Duration attemptTimeout = Duration.ofSeconds(10);
        private Duration deadline = Duration.ofMinutes(1);
        private Duration firstDelay = Duration.ofMillis(200);
        private Duration maxDelay = Duration.ofSeconds(10);
        private final Set<Integer> finalStatuses = new HashSet<>();
        private Duration keyRetention = Duration.ofHours(24);

        private Builder() {}

        /** The maximum number of requests for one operation. */
        public Builder maxAttempts(int attempts) {
            this.maxAttempts = attempts;
            return this;
        }

        /** How long one request may take, including the body of its response. */
        public Builder attemptTimeout(Duration timeout) {
            this.attemptTimeout = timeout;
            return this;
        }

        /** How long all attempts may take together, including the delays between them. */
        public Builder deadline(Duration deadline) {
            this.deadline = deadline;
            return this;
        }

        /**
         * The delay grows from {@code first} by doubling up to {@code longest}; the actual wait is a random part of
         * it. A server's {@code Retry-After} wins over both, but its status resource is not asked again before
         * {@code first}.
         */
        public Builder delays(Duration first, Duration longest) {
            this.firstDelay = first;
            this.maxDelay = longest;
            return this;
        }

        /**
         * Statuses that are always a definite answer of this API and are not retried, for example 409 if the API never
         * sends it for an operation in flight.
         */
        public Builder finalStatuses(Integer... statuses) {
            this.finalStatuses.addAll(Arrays.asList(statuses));
            return this;
        }

        /**
         * How long the API keeps keys: 24 hours, unless set. An operation that may have been applied is not sent again
         * after that, or after what the server says in {@code Idempotency-Expires} if that is earlier.
         */
        public Builder keyRetention(Duration retention) {
            this.keyRetention = retention;
            return this;
        }

        public RetryPolicy build() {
            return new RetryPolicy(this);
        }
    }
}
