package dev.semel.testkit.contract.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.spi.Lease;

/** A group of tests of a contract: one guarantee, or one capability. */
public interface TestGroup {

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
