package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.StoreNode;
import dev.semel.testkit.contract.support.TestGroup;
import dev.semel.testkit.race.RaceTester;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

/** Of any number of concurrent claims of a key, exactly one gets the lease. */
public interface G1OneOwner extends TestGroup {

    int RACERS = 12;

    @Test
    default void exactlyOneOfManyRacingClaimsAcquires() {
        List<StoreNode> nodes = bench().nodes(3);
        for (Key key : bench().newKeys(10)) {
            List<Claim> claims = RaceTester.race(RACERS, i -> nodes.get(i % 3).claim(key));

            assertThat(claims).filteredOn(Claim.Acquired.class::isInstance).hasSize(1);
            assertThat(claims).filteredOn(Claim.InFlight.class::isInstance).hasSize(RACERS - 1);
        }
    }

    @Test
    default void anEffectHappensOncePerKeyHoweverManyRequestsRace() {
        List<StoreNode> nodes = bench().nodes(3);
        List<Key> keys = bench().newKeys(6);
        int[] ledger = new int[keys.size()];

        List<Integer> surprises = RaceTester.race(RACERS, i -> {
            StoreNode node = nodes.get(i % 3);
            int other = 0;
            for (int k : shuffled(keys.size(), i)) {
                Claim claim = node.claim(keys.get(k));
                if (claim instanceof Claim.Acquired acquired) {
                    ledger[k]++;
                    node.settle(acquired.lease(), DONE);
                } else if (!(claim instanceof Claim.InFlight) && !(claim instanceof Claim.Settled)) {
                    other++;
                }
            }
            return other;
        });

        assertThat(ledger).containsOnly(1);
        assertThat(surprises).containsOnly(0);
        keys.forEach(key -> assertThat(node().replay(key).outcome()).isEqualTo(DONE));
    }

    /** The counter is not synchronised: two owners at a time would lose one of their increments sooner or later. */
    @Test
    default void ownersOfAKeyFollowOneAnother() {
        List<StoreNode> nodes = bench().nodes(2);
        Key key = bench().newKey();
        int racers = 6;
        int rounds = 15;
        int[] counter = new int[1];

        List<List<Long>> tokens = RaceTester.race(racers, i -> {
            StoreNode node = nodes.get(i % 2);
            List<Long> mine = new ArrayList<>();
            while (mine.size() < rounds) {
                if (node.claim(key) instanceof Claim.Acquired acquired) {
                    int before = counter[0];
                    LockSupport.parkNanos(1);
                    counter[0] = before + 1;
                    mine.add(acquired.lease().token());
                    assertThat(node.release(acquired.lease())).isTrue();
                }
            }
            return mine;
        });

        assertThat(counter[0]).isEqualTo(racers * rounds);
        assertThat(tokens.stream().flatMap(List::stream)).doesNotHaveDuplicates();
    }

    @Test
    default void exactlyOneOfManyRacersTakesOverALapsedLease() {
        List<StoreNode> nodes = bench().nodes(3);
        List<Key> keys = bench().newKeys(6);
        keys.forEach(key -> node().acquireBriefly(key));
        bench().pass();

        for (Key key : keys) {
            List<Claim> claims = RaceTester.race(RACERS, i -> nodes.get(i % 3).takeOver(key));

            assertThat(leases(claims)).extracting(Lease::attempt).containsExactly(2);
            assertThat(claims).filteredOn(Claim.InFlight.class::isInstance).hasSize(RACERS - 1);
        }
    }

    @Test
    default void exactlyOneOfManyRacersReusesAnExpiredKey() {
        List<StoreNode> nodes = bench().nodes(3);
        List<Key> keys = bench().newKeys(6);
        keys.forEach(key -> node().settled(key, DONE, BRIEF));
        bench().pass();

        for (Key key : keys) {
            List<Claim> claims = RaceTester.race(RACERS, i -> nodes.get(i % 3).claim(key));

            assertThat(leases(claims)).extracting(Lease::attempt).containsExactly(1);
            assertThat(claims).filteredOn(Claim.InFlight.class::isInstance).hasSize(RACERS - 1);
        }
    }

    @Test
    default void ofALateSettleAndATakeoverExactlyOneWins() {
        exactlyOneWins("settled, taken over", (node, lapsed) -> node.settle(lapsed, DONE));
    }

    @Test
    default void ofARenewalAndATakeoverExactlyOneWins() {
        exactlyOneWins("renewed, taken over", (node, lapsed) -> node.renew(lapsed, LIVE));
    }

    /** A late write of the owner of a lapsed lease races with a takeover. */
    private void exactlyOneWins(String outcomes, BiPredicate<StoreNode, Lease> lateWrite) {
        List<StoreNode> nodes = bench().nodes(2);
        List<Key> keys = bench().newKeys(15);
        List<Lease> lapsed =
                keys.stream().map(key -> node().acquireBriefly(key)).toList();
        bench().pass();

        for (int k = 0; k < keys.size(); k++) {
            Key key = keys.get(k);
            Lease old = lapsed.get(k);
            List<Boolean> won = RaceTester.race(
                    2,
                    i -> i == 0
                            ? lateWrite.test(nodes.get(0), old)
                            : nodes.get(1).takeOver(key) instanceof Claim.Acquired);

            assertThat(won).as(outcomes).containsExactlyInAnyOrder(true, false);
        }
    }

    @Test
    default void ofASettleAndAReleaseExactlyOneWins() {
        List<StoreNode> nodes = bench().nodes(3);
        for (Key key : bench().newKeys(15)) {
            Lease lease = node().acquire(key);

            List<Boolean> won = RaceTester.race(2, i -> {
                if (i == 0) {
                    return nodes.get(0).settle(lease, DONE);
                }
                return nodes.get(1).release(lease);
            });

            assertThat(won).as("settled, released").containsExactlyInAnyOrder(true, false);
            Claim after = nodes.get(2).claim(key);
            assertThat(after).isInstanceOf(won.get(0) ? Claim.Settled.class : Claim.Acquired.class);
        }
    }

    @Test
    default void oneOwnersRacingSettlesStoreOneOutcome() {
        List<StoreNode> nodes = bench().nodes(3);
        for (Key key : bench().newKeys(5)) {
            Lease lease = node().acquire(key);

            RaceTester.race(
                    6,
                    i -> nodes.get(i % 3)
                            .settle(
                                    lease,
                                    Outcome.succeeded().payload("racer " + i).build()));

            Outcome stored = nodes.get(0).replay(key).outcome();
            for (StoreNode node : nodes) {
                assertThat(node.replay(key).outcome()).isEqualTo(stored);
            }
        }
    }

    /** A claim that was sent twice, because its first answer seemed lost, is still one claim. */
    @Test
    default void racingCopiesOfOneClaimGetOneLease() {
        List<StoreNode> nodes = bench().nodes(3);
        for (Key key : bench().newKeys(5)) {
            ClaimRequest request = ClaimTemplate.forKey(key).request();

            List<Claim> claims = RaceTester.race(6, i -> nodes.get(i % 3).claim(request));

            assertThat(claims).allMatch(Claim.Acquired.class::isInstance);
            assertThat(leases(claims)).containsOnly(leases(claims).get(0));
        }
    }

    /** Stores that gather claims into batches must tell the copies of a key inside one batch apart. */
    @Test
    default void claimsOfOneKeySentInOneBurstHaveOneWinner() {
        List<CompletionStage<Claim>> burst = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            burst.add(node().store().claim(ClaimTemplate.forKey(key()).request()));
        }

        List<Claim> claims = burst.stream().map(StoreNode::answer).toList();

        assertThat(leases(claims)).hasSize(1);
        assertThat(claims).filteredOn(Claim.InFlight.class::isInstance).hasSize(49);
    }

    private static List<Lease> leases(List<Claim> claims) {
        return claims.stream()
                .filter(Claim.Acquired.class::isInstance)
                .map(claim -> ((Claim.Acquired) claim).lease())
                .toList();
    }

    private static List<Integer> shuffled(int size, long seed) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            order.add(i);
        }
        Collections.shuffle(order, new Random(seed));
        return order;
    }
}
