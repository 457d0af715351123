package dev.semel.testkit.contract.support;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.policy.Retention;
import dev.semel.spi.ClaimRequest;
import java.time.Duration;

/** A claim that the contract makes: each {@link #request} of it is a new attempt. */
public record ClaimTemplate(
        Key key, String operation, Fingerprint fingerprint, Duration lease, Retention retention, boolean takeOver) {

    public static final Fingerprint BODY = Fingerprint.of("POST", "/payments", "amount=100");
    public static final Fingerprint OTHER_BODY = Fingerprint.of("POST", "/payments", "amount=999");

    /** A claim with a lease that outlives the test, and that does not take over. */
    public static ClaimTemplate forKey(Key key) {
        return new ClaimTemplate(key, "charge", BODY, TestGroup.LIVE, TestGroup.KEPT, false);
    }

    public ClaimTemplate named(String name) {
        return new ClaimTemplate(key, name, fingerprint, lease, retention, takeOver);
    }

    public ClaimTemplate withBody(Fingerprint body) {
        return new ClaimTemplate(key, operation, body, lease, retention, takeOver);
    }

    public ClaimTemplate withLease(Duration duration) {
        return new ClaimTemplate(key, operation, fingerprint, duration, retention, takeOver);
    }

    public ClaimTemplate keptFor(Retention kept) {
        return new ClaimTemplate(key, operation, fingerprint, lease, kept, takeOver);
    }

    public ClaimTemplate takingOver() {
        return new ClaimTemplate(key, operation, fingerprint, lease, retention, true);
    }

    public ClaimRequest request() {
        return ClaimRequest.builder(key, operation, fingerprint)
                .lease(lease)
                .retention(retention)
                .takeOver(takeOver)
                .build();
    }
}
