package dev.semel.testkit.contract.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Lease;
import java.time.Duration;

/** A group of tests of a contract: one guarantee, or one capability. */
public interface TestGroup {

    /** A duration that outlives every test. */
    Duration LIVE = Duration.ofHours(1);

    /** A duration that is over after {@link Bench#pass}. */
    Duration SHORT = Duration.ofMillis(200);

    Retention KEPT = Retention.of(LIVE);
    Retention BRIEF = Retention.of(SHORT);

    Outcome DONE = Outcome.succeeded()
            .status(201)
            .contentType("application/json")
            .payload("{\"id\":1}")
            .build();
    Outcome OTHER = Outcome.failed().status(402).payload("declined").build();

    Bench bench();

    default StoreNode node() {
        return bench().node();
    }

    default Key key() {
        return bench().key();
    }

    /** Claims a key, and lets its lease lapse. */
    default Lease lapsed(Key key) {
        Lease lease = node().acquireBriefly(key);
        bench().pass();
        return lease;
    }

    /** Claims a key, and abandons it. */
    default Lease unknown(Key key) {
        Lease lease = node().acquire(key);
        assertThat(node().abandon(lease)).isTrue();
        return lease;
    }
}
