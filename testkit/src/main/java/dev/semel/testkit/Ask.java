package dev.semel.testkit;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Retention;
import dev.semel.spi.ClaimRequest;
import java.time.Duration;

/** A claim that the contract makes: each {@link #request} of it is a new attempt. */
record Ask(Key key, String operation, Fingerprint fingerprint, Duration lease, Retention retention, boolean takeOver) {

    static final Fingerprint BODY = Fingerprint.of("POST", "/payments", "amount=100");
    static final Fingerprint OTHER_BODY = Fingerprint.of("POST", "/payments", "amount=999");

    /** A claim with a lease that outlives the test, and that does not take over. */
    static Ask forKey(Key key) {
        return new Ask(key, "charge", BODY, Bench.LIVE, Bench.KEPT, false);
    }

    Ask named(String name) {
        return new Ask(key, name, fingerprint, lease, retention, takeOver);
    }

    Ask withBody(Fingerprint body) {
        return new Ask(key, operation, body, lease, retention, takeOver);
    }

    Ask withLease(Duration duration) {
        return new Ask(key, operation, fingerprint, duration, retention, takeOver);
    }

    Ask keptFor(Retention kept) {
        return new Ask(key, operation, fingerprint, lease, kept, takeOver);
    }

    Ask takingOver() {
        return new Ask(key, operation, fingerprint, lease, retention, true);
    }

    ClaimRequest request() {
        return ClaimRequest.builder(key, operation, fingerprint)
                .lease(lease)
                .retention(retention)
                .takeOver(takeOver)
                .build();
    }
}
