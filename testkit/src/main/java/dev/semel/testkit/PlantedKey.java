package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Policy;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.testkit.contract.support.StoreNode;
import java.time.Duration;
import org.awaitility.Awaitility;

/**
 * A key that a test puts into a store before it sends its own request, as if another request had come first. It matches every
 * request of its operation that is sent under it.
 */
public final class PlantedKey {

    private static final Duration LONG = Duration.ofHours(1);

    private final KeyStore store;
    private final Key key;
    private final String operation;

    PlantedKey(KeyStore store, Key key, String operation) {
        this.store = store;
        this.key = key;
        this.operation = operation;
    }

    /** Plants a settled key: the operation has ended with this outcome, which every retry gets for an hour. */
    public void settled(Outcome outcome) {
        assertThat(StoreNode.answer(store.settle(claim(LONG), outcome, Retention.of(LONG))))
                .as("%s is settled", key)
                .isTrue();
    }

    /** Plants a pending key: another process is running the operation, for an hour. */
    public Lease pending() {
        return claim(LONG);
    }

    /** Plants a lapsed key: another process died while it ran the operation, and its lease has lapsed. */
    public void lapsed() {
        claim(Policy.MIN_LEASE);
        StoreNode node = new StoreNode(store);
        Awaitility.await().until(() -> node.state(key) == KeyState.LAPSED);
    }

    /** Plants an unknown key: it is unknown whether the operation was executed. */
    public void unknown() {
        assertThat(StoreNode.answer(store.abandon(claim(LONG))))
                .as("%s is abandoned", key)
                .isTrue();
    }

    private Lease claim(Duration lease) {
        Claim claim = StoreNode.answer(store.claim(
                ClaimRequest.builder(key, operation, Fingerprint.ofAnyRequest().forOperation(operation))
                        .lease(lease)
                        .retention(Retention.of(LONG))
                        .build()));
        assertThat(claim).as("%s must be new: a test plants a key once", key).isInstanceOf(Claim.Acquired.class);
        return ((Claim.Acquired) claim).lease();
    }
}
