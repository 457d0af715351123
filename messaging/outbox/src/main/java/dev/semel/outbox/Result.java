package dev.semel.outbox;

import org.jspecify.annotations.Nullable;

/**
 * What became of one delivery.
 *
 * @param error why it failed; {@code null} if it did not
 * @param dead whether the message is given up
 */
record Result(Delivery delivery, @Nullable String error, boolean dead) {

    private static final int MAX_ERROR = 1_000;

    static Result delivered(Delivery delivery) {
        return new Result(delivery, null, false);
    }

    static Result failed(Delivery delivery, Throwable failure, boolean dead) {
        String text = failure.toString().replace('\u0000', ' ');
        return new Result(delivery, text.substring(0, Math.min(text.length(), MAX_ERROR)), dead);
    }

    boolean isDelivered() {
        return error == null;
    }
}
