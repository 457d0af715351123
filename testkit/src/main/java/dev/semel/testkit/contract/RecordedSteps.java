package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.StoreNode;
import dev.semel.testkit.contract.support.TestGroup;
import dev.semel.testkit.race.RaceTester;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The steps that an attempt has finished are kept for the next attempt. */
public interface RecordedSteps extends TestGroup {

    @Test
    default void theAttemptThatTakesOverIsGivenTheStepsSoFar() {
        Lease lease = node().acquireBriefly(key());
        assertThat(node().recordStep(lease, "charge", bytes("ch_1"))).isTrue();
        assertThat(node().recordStep(lease, "mail", bytes(""))).isTrue();
        bench().pass();

        Claim.Acquired second = bench().newNode()
                .acquired(ClaimTemplate.forKey(key()).withLease(SHORT).takingOver());
        assertThat(second.steps()).containsOnlyKeys("charge", "mail");
        assertThat(second.steps().get("charge")).isEqualTo(bytes("ch_1"));
        assertThat(second.steps().get("mail")).isEmpty();

        assertThat(node().recordStep(second.lease(), "ship", bytes("parcel"))).isTrue();
        assertThat(node().recordStep(second.lease(), "charge", bytes("ch_2"))).isTrue();
        bench().pass();

        Map<String, byte[]> third = stepsAfterTakeover(key());
        assertThat(third).containsOnlyKeys("charge", "mail", "ship");
        assertThat(third.get("charge")).isEqualTo(bytes("ch_1"));
    }

    @Test
    default void aClaimSentAgainIsGivenTheStepsSoFar() {
        ClaimRequest request = ClaimTemplate.forKey(bench().newKey()).request();
        Lease lease = node().acquire(request);
        assertThat(node().recordStep(lease, "charge", bytes("ch_1"))).isTrue();

        Claim.Acquired again = (Claim.Acquired) node().claim(request);

        assertThat(again.steps()).containsOnlyKeys("charge");
    }

    @Test
    default void stepsOfAnyBytesAndNamesAreKept() {
        Lease lease = node().acquireBriefly(key());
        byte[] large = new byte[64 << 10];
        new Random(7).nextBytes(large);
        String odd = "Zahlung: \uD83D\uDCB6 '\"\\ 日本";
        assertThat(node().recordStep(lease, odd, large)).isTrue();
        for (int i = 0; i < 30; i++) {
            assertThat(node().recordStep(lease, "step-" + i, new byte[] {(byte) i, 0}))
                    .isTrue();
        }
        bench().pass();

        Map<String, byte[]> steps = stepsAfterTakeover(key());
        assertThat(steps).hasSize(31);
        assertThat(steps.get(odd)).isEqualTo(large);
        assertThat(steps.get("step-29")).isEqualTo(new byte[] {29, 0});
    }

    @Test
    default void racingRecordingsOfOneStepKeepOneResult() {
        List<StoreNode> nodes = bench().nodes(3);
        Key key = bench().newKey();
        Lease lease = node().acquireBriefly(key);

        assertThat(RaceTester.race(6, i -> nodes.get(i % 3).recordStep(lease, "charge", bytes("racer " + i))))
                .containsOnly(true);

        bench().pass();
        byte[] kept = node().acquired(ClaimTemplate.forKey(key).withLease(SHORT).takingOver())
                .steps()
                .get("charge");
        bench().pass();
        byte[] keptLater = stepsAfterTakeover(key).get("charge");
        assertThat(new String(kept, StandardCharsets.UTF_8)).matches("racer [0-5]");
        assertThat(Arrays.equals(kept, keptLater)).isTrue();
    }

    @Test
    default void racingRecordingsOfDifferentStepsKeepThemAll() {
        List<StoreNode> nodes = bench().nodes(3);
        Key key = bench().newKey();
        Lease lease = node().acquireBriefly(key);

        RaceTester.race(6, i -> nodes.get(i % 3).recordStep(lease, "step-" + i, bytes("x")));

        bench().pass();
        assertThat(stepsAfterTakeover(key)).hasSize(6);
    }

    @Test
    default void aStepThatMeetsATakeoverIsRefusedOrGivenToIt() {
        StoreNode other = bench().newNode();
        List<Key> keys = Stream.generate(bench()::newKey).limit(8).toList();
        List<Lease> stalled = keys.stream().map(node()::acquireBriefly).toList();
        bench().pass();

        List<Object> answers = RaceTester.race(
                2 * stalled.size(),
                i -> i % 2 == 0
                        ? node().recordStep(stalled.get(i / 2), "charge", bytes("ch_1"))
                        : other.claim(ClaimTemplate.forKey(keys.get(i / 2)).takingOver()));

        for (int i = 0; i < stalled.size(); i++) {
            if (answers.get(2 * i).equals(true) && answers.get(2 * i + 1) instanceof Claim.Acquired successor) {
                assertThat(successor.steps()).containsOnlyKeys("charge");
            }
        }
    }

    @Test
    default void theStepsOfAReleasedAttemptAreForgotten() {
        Lease lease = node().acquire(key());
        assertThat(node().recordStep(lease, "charge", bytes("ch_1"))).isTrue();
        assertThat(node().release(lease)).isTrue();

        assertThat(node().acquired(ClaimTemplate.forKey(key())).steps()).isEmpty();
    }

    @Test
    default void theStepsOfAnExpiredLifeAreForgotten() {
        Lease lease = node().acquire(key());
        assertThat(node().recordStep(lease, "charge", bytes("ch_1"))).isTrue();
        assertThat(node().settle(lease, DONE, BRIEF)).isTrue();
        bench().pass();

        assertThat(node().acquired(ClaimTemplate.forKey(key())).steps()).isEmpty();
    }

    @Test
    default void theStepsOfOneKeyAreNotThoseOfAnother() {
        Key one = bench().newKey();
        Key two = bench().newKey();
        Lease first = node().acquireBriefly(one);
        Lease second = node().acquireBriefly(two);
        assertThat(node().recordStep(first, "charge", bytes("one"))).isTrue();
        assertThat(node().recordStep(second, "charge", bytes("two"))).isTrue();
        bench().pass();

        assertThat(stepsAfterTakeover(two).get("charge")).isEqualTo(bytes("two"));
    }

    private Map<String, byte[]> stepsAfterTakeover(Key key) {
        return node().acquired(ClaimTemplate.forKey(key).takingOver()).steps();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
