package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.Lease;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.StoreNode;
import dev.semel.testkit.contract.support.TestGroup;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * A claim is durable before the operation starts; an outcome is durable before it is replayed. What survives the crash
 * of a server is for the tests of each store; here, what has been acknowledged is there for every other node.
 */
public interface G4DurableFirst extends TestGroup {

    @Test
    default void anAcknowledgedClaimIsThereForEveryOtherNodeAtOnce() {
        StoreNode other = bench().newNode();
        for (Key key : bench().newKeys(20)) {
            node().acquire(key);

            assertThat(other.claim(key)).isInstanceOf(Claim.InFlight.class);
        }
    }

    @Test
    default void anAcknowledgedOutcomeIsThereForEveryOtherNodeAtOnce() {
        StoreNode other = bench().newNode();
        for (Key key : bench().newKeys(20)) {
            node().settled(key, DONE, KEPT);

            assertThat(other.replay(key).outcome()).isEqualTo(DONE);
        }
    }

    @Test
    default void whatANodeWroteOutlivesIt() {
        StoreNode shortLived = bench().newNode();
        StoreNode survivor = bench().newNode();
        assumeTrue(shortLived.store() != survivor.store(), "this store has one node");
        Key pending = bench().newKey();
        Key settled = bench().newKey();
        Lease lease = shortLived.acquire(pending);
        shortLived.settled(settled, DONE, KEPT);

        bench().close(shortLived);

        assertThat(survivor.claim(pending)).isInstanceOf(Claim.InFlight.class);
        assertThat(survivor.replay(settled).outcome()).isEqualTo(DONE);
        assertThat(survivor.settle(lease, DONE)).isTrue();
    }

    @Test
    default void closingANodeCompletesWhatIsUnderWay() {
        StoreNode closing = bench().newNode();
        StoreNode survivor = bench().newNode();
        assumeTrue(closing.store() != survivor.store(), "this store has one node");
        Key key = bench().newKey();
        CompletionStage<Claim> underWay =
                closing.store().claim(ClaimTemplate.forKey(key).request());

        bench().close(closing);

        assertThat(StoreNode.answer(underWay)).isInstanceOf(Claim.Acquired.class);
        assertThat(survivor.claim(key)).isInstanceOf(Claim.InFlight.class);
    }
}
