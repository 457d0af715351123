package dev.semel.gateway.quota;

import java.util.Locale;

/** A limit that callers have. */
public enum Limit {
    RATE("You send too many requests per second."),
    IN_FLIGHT("Too many of your requests are in flight."),
    BUFFERED("Your requests and their responses take too much memory."),
    KEYS("Too many of your keys are kept."),
    BYTES("The responses that are kept for you take too much room."),
    UNKNOWN("The outcome of too many of your operations is unknown.");

    private final String complaint;

    Limit(String complaint) {
        this.complaint = complaint;
    }

    /** The message to the caller. */
    public String detail() {
        return complaint + " This request was not run. Send it again with the same key.";
    }

    /** The message to a caller that has asked for no operation. */
    public String complaint() {
        return complaint;
    }

    /** Its name in settings and metrics, for example {@code in-flight}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
