package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.erasure.Erasure;
import dev.semel.erasure.Erasure.Erased;
import dev.semel.spi.Claim;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.Erasing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.testkit.contract.support.StoreNode;
import dev.semel.testkit.contract.support.TestGroup;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records that are removed before their retention has passed. */
public interface ErasedKeys extends TestGroup {

    @Test
    default void aScopeIsErasedWithAllThatIsSettledOrExpiredInIt() {
        node().require(Erasing.class);
        List<Key> keys = bench().newKeys(250);
        node().settledTogether(keys, DONE, KEPT);
        Key failed = bench().newKey();
        Key expired = bench().newKey();
        Key tombstone = bench().newKey();
        node().settled(failed, OTHER, KEPT);
        node().settled(expired, DONE, BRIEF.withAudit(LIVE));
        node().settled(tombstone, DONE, BRIEF.withTombstone(LIVE));
        bench().pass();

        Erased erased = eraseAll();

        assertThat(erased).isEqualTo(new Erased(253, 0));
        for (Key key : List.of(keys.get(0), keys.get(249), failed, expired, tombstone)) {
            assertThat(node().find(key)).isEmpty();
            assertThat(bench().newNode().acquire(key).attempt()).isEqualTo(1);
        }
    }

    @Test
    default void anErasureLeavesKeysOfOtherScopes() {
        node().require(Erasing.class);
        Key other = new Key(Namespace.DEFAULT, bench().scope() + "-other", "key");
        node().settled(other, DONE, KEPT);
        node().settled(bench().newKey(), DONE, KEPT);

        assertThat(eraseAll()).isEqualTo(new Erased(1, 0));

        assertThat(node().replay(other).outcome()).isEqualTo(DONE);
    }

    @Test
    default void anErasureLeavesWhatIsPendingLapsedOrUnknown() {
        node().require(Erasing.class);
        Key pending = bench().newKey();
        Key lapsed = bench().newKey();
        Key unknown = bench().newKey();
        Lease owner = node().acquire(pending);
        Lease late = node().acquireBriefly(lapsed);
        unknown(unknown);
        node().settled(bench().newKey(), DONE, KEPT);
        bench().pass();

        assertThat(eraseAll()).isEqualTo(new Erased(1, 3));

        assertThat(node().settle(owner, DONE)).isTrue();
        assertThat(node().settle(late, DONE)).isTrue();
        assertThat(node().state(unknown)).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    default void theTokenGrowsAcrossAnErasure() {
        Erasing erasing = node().require(Erasing.class);
        Key key = bench().newKey();
        Lease former = node().settled(key, DONE, KEPT);
        assertThat(StoreNode.answer(erasing.erase(key.digest(), former.token())))
                .isTrue();

        Lease next = bench().newNode().acquire(key);

        assertThat(next.token()).isGreaterThan(former.token());
        assertThat(next.attempt()).isEqualTo(1);
        assertThat(node().settle(former, OTHER)).isFalse();
        assertThat(node().claim(key)).isInstanceOf(Claim.InFlight.class);
        assertThat(node().settle(next, OTHER)).isTrue();
        if (node().has(Inspecting.class)) {
            assertThat(node().record(key).key()).isEqualTo(key);
        }
    }

    @Test
    default void aKeyThatHasMovedOnIsNotErased() {
        Erasing erasing = node().require(Erasing.class);
        Key key = bench().newKey();
        Lease first = node().settled(key, DONE, BRIEF);
        bench().pass();
        Outcome second = Outcome.succeeded().payload("second").build();
        node().settled(key, second, KEPT);

        assertThat(StoreNode.answer(erasing.erase(key.digest(), first.token()))).isFalse();

        assertThat(node().replay(key).outcome()).isEqualTo(second);
    }

    private Erased eraseAll() {
        node().require(Erasing.class);
        return Erasure.ofScope(node().store(), bench().scope(), new DecisionLog.Person("a test", null), "asked for");
    }
}
