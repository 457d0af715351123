package dev.semel.outbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The result of one delivery.
 *
 * @param error why it failed; {@code null} if it did not
 * @param after the minimum pause that the destination asked for before the next try
 * @param dead whether the message is given up
 */
record DeliveryResult(Delivery delivery, @Nullable String error, Duration after, boolean dead) {

    private static final int MAX_ERROR = 1_000;
    /** The longest pause that a destination can ask for: its mistake must not hold messages forever. */
    private static final Duration LONGEST_WISH = Duration.ofHours(1);

    static DeliveryResult delivered(Delivery delivery) {
        return new DeliveryResult(delivery, null, Duration.ZERO, false);
    }

    static DeliveryResult failed(Delivery delivery, Throwable failure, boolean dead) {
        String text = failure.toString().replace('\u0000', ' ');
        Duration after = failure instanceof RetryLaterException later ? later.after() : Duration.ZERO;
        return new DeliveryResult(
                delivery,
                text.substring(0, Math.min(text.length(), MAX_ERROR)),
                after.compareTo(LONGEST_WISH) < 0 ? after : LONGEST_WISH,
                dead);
    }

    boolean isDelivered() {
        return error == null;
    }
}
