package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.TestGroup;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A retry stays a retry across a deploy, and a key that two operations share never replays one to the other. */
public interface G11Identity extends TestGroup {

    Fingerprint SHIP = ClaimTemplate.BODY.forOperation("ship");
    Fingerprint CANCEL = ClaimTemplate.BODY.forOperation("cancel");

    @Test
    default void anotherOperationWithTheSameKeyIsAMismatch() {
        for (Key key : oneInEachState(SHIP)) {
            assertThat(node().claim(ClaimTemplate.forKey(key).withBody(CANCEL))).isInstanceOf(Claim.Mismatch.class);
            assertThat(takeOver(key, CANCEL)).isInstanceOf(Claim.Mismatch.class);
        }
    }

    @Test
    default void anotherOperationIsAMismatchAlsoUnderOtherRulesAndAnotherVersion() {
        List<Fingerprint> others = List.of(
                CANCEL.withRules("amount"), Fingerprint.of(2, new byte[] {1}).forOperation("cancel"));
        for (Key key : oneInEachState(SHIP)) {
            for (Fingerprint other : others) {
                assertThat(takeOver(key, other)).isInstanceOf(Claim.Mismatch.class);
            }
        }
    }

    /** A deploy that changes which fields a fingerprint covers changes the digest of a true retry. */
    @Test
    default void aChangedRuleIsNeverAMismatch() {
        Fingerprint before = SHIP.withRules("amount", "currency");
        Fingerprint after = ClaimTemplate.OTHER_BODY.forOperation("ship").withRules("amount");
        List<Key> keys = oneInEachState(before);

        assertThat(keys.stream().map(key -> takeOver(key, after)).map(Object::getClass))
                .containsExactly(Claim.InFlight.class, Claim.Settled.class, Claim.Unknown.class, Claim.Acquired.class);
    }

    @Test
    default void theSameRulesAreComparedAsBefore() {
        Fingerprint before = SHIP.withRules("amount", "currency");
        Fingerprint other = ClaimTemplate.OTHER_BODY.forOperation("ship").withRules("amount", "currency");
        for (Key key : oneInEachState(before)) {
            assertThat(takeOver(key, other)).isInstanceOf(Claim.Mismatch.class);
        }
    }

    /** Releases before this one stored a natural key as its digest. */
    @Test
    default void aNaturalKeyThatWasStoredAsADigestIsTheSameKey() {
        String name = bench().newKey().value();
        Key before = Key.of(bench().scope(), Key.deterministicValue("ship", name));
        Key after = Key.of(bench().scope(), Key.naturalValue("ship", name));
        assertThat(node().settle(node().acquire(ClaimTemplate.forKey(before).withBody(SHIP)), DONE))
                .isTrue();

        assertThat(node().claim(ClaimTemplate.forKey(after).withBody(SHIP))).isInstanceOf(Claim.Settled.class);
    }

    private Claim takeOver(Key key, Fingerprint fingerprint) {
        return node().claim(ClaimTemplate.forKey(key).withBody(fingerprint).takingOver());
    }

    /** Pending, settled, unknown, lapsed. */
    private List<Key> oneInEachState(Fingerprint fingerprint) {
        List<Key> keys = bench().newKeys(4);
        List<ClaimTemplate> asks = keys.stream()
                .map(key -> ClaimTemplate.forKey(key).withBody(fingerprint))
                .toList();
        node().acquire(asks.get(0));
        assertThat(node().settle(node().acquire(asks.get(1)), DONE)).isTrue();
        assertThat(node().abandon(node().acquire(asks.get(2)))).isTrue();
        node().acquire(asks.get(3).withLease(SHORT));
        bench().pass();
        return keys;
    }
}
