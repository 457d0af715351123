package dev.semel.outbox;

import java.time.Duration;

/** What is said of messages that are sent so late that their receivers may have forgotten an earlier delivery. */
final class LateDeliveries {

    /** How long Semel keeps keys by default. */
    static final Duration SUSPICIOUS = Duration.ofHours(24);

    static final String WARNING =
            "{} with the key {} is sent although it is {} old: a receiver that got it before may have forgotten its key,"
                    + " and act a second time";

    private LateDeliveries() {}
}
