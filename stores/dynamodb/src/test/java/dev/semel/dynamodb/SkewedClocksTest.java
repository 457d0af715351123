package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.testkit.SettableClock;
import dev.semel.testkit.race.RaceTester;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Machines whose clocks differ: by as much as they may, and by far more. */
class SkewedClocksTest {

    private static final Instant TRUTH = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration SKEW = Duration.ofSeconds(2);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Retention RETENTION = Retention.of(Duration.ofHours(1));
    private static final Outcome DONE = Outcome.succeeded().payload("done").build();
    private static final Outcome OTHER = Outcome.failed().payload("other").build();

    private final String table = LocalDynamoDb.newTable();
    private final Key key = Key.of("tenant", "order-1");

    @Test
    void aLiveLeaseIsNotTakenOverByAMachineThatIsAheadByTheSkew() {
        Machine onTime = new Machine(Duration.ZERO);
        Machine ahead = new Machine(SKEW);
        Lease lease = onTime.acquire(key);
        List.of(onTime, ahead).forEach(machine -> machine.clock.advance(LEASE.minusMillis(1)));

        assertThat(ahead.claim(key)).isInstanceOf(Claim.InFlight.class);

        assertThat(onTime.settle(lease, DONE)).isTrue();
    }

    @Test
    void aLapsedLeaseIsTakenOverInTheEndByAMachineThatIsBehind() {
        Machine ahead = new Machine(SKEW);
        Machine onTime = new Machine(Duration.ZERO);
        Lease stalled = ahead.acquire(key);
        onTime.clock.advance(LEASE.plus(SKEW));
        assertThat(onTime.claim(key)).isInstanceOf(Claim.InFlight.class);

        onTime.clock.advance(SKEW);

        Lease successor = onTime.acquire(key);
        assertThat(successor.token()).isGreaterThan(stalled.token());
        assertThat(ahead.settle(stalled, OTHER)).isFalse();
    }

    @Test
    void anOutcomeIsReplayedForItsWholeRetentionByAMachineThatIsAheadByTheSkew() {
        Machine onTime = new Machine(Duration.ZERO);
        Machine ahead = new Machine(SKEW);
        assertThat(onTime.settle(onTime.acquire(key), DONE)).isTrue();
        ahead.clock.advance(RETENTION.active().minusMillis(1));

        assertThat(ahead.claim(key)).isInstanceOf(Claim.Settled.class);
    }

    @Test
    void theTokenGrowsWhenAMachineThatIsBehindFollowsOneThatIsAhead() {
        Machine ahead = new Machine(SKEW);
        Machine behind = new Machine(SKEW.negated());
        Lease released = ahead.acquire(key);
        assertThat(answer(ahead.store.release(released))).isTrue();

        Lease next = behind.acquire(key);

        assertThat(next.token()).isGreaterThan(released.token());
        assertThat(next.attempt()).isEqualTo(1);
    }

    /** G1 and G3 do not depend on clocks: here they differ by hours, and leases are lost in every round. */
    @Test
    void oneOwnerAndNoZombiesHoweverWrongTheClocksAre() {
        Random random = new Random(20260101);
        List<Machine> machines = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            machines.add(new Machine(Duration.ofSeconds(random.nextInt(20_000) - 10_000)));
        }
        for (int round = 0; round < 12; round++) {
            Key contested = Key.of("tenant", "round-" + round);
            // Each claims, and each that got a lease settles later: some have lost it to one whose clock is ahead.
            List<Claim> claims =
                    RaceTester.race(machines.size(), i -> machines.get(i).claim(contested));
            List<Lease> leases = claims.stream()
                    .filter(Claim.Acquired.class::isInstance)
                    .map(claim -> ((Claim.Acquired) claim).lease())
                    .toList();
            assertThat(leases).extracting(Lease::token).doesNotHaveDuplicates();
            assertThat(leases).extracting(Lease::attempt).doesNotHaveDuplicates();

            List<Boolean> settled = RaceTester.race(
                    leases.size(), i -> machines.get(i).settle(leases.get(i), outcomeOf(leases.get(i))));

            Lease last = leases.stream()
                    .max((one, other) -> Integer.compare(one.attempt(), other.attempt()))
                    .orElseThrow();
            for (int i = 0; i < leases.size(); i++) {
                assertThat(settled.get(i))
                        .as("attempt %d of %d", leases.get(i).attempt(), last.attempt())
                        .isEqualTo(leases.get(i).equals(last));
            }
            assertThat(leases).filteredOn(lease -> lease.token() > last.token()).isEmpty();
            KeyOutcome.of(machines.get(0).store, contested).isEqualTo(outcomeOf(last));
        }
    }

    @Test
    void aZombieWithAClockThatStandsStillCannotRenew() {
        Machine frozen = new Machine(Duration.ZERO);
        Machine onTime = new Machine(Duration.ZERO);
        Lease stalled = frozen.acquire(key);
        onTime.clock.advance(LEASE.plus(SKEW));
        Lease successor = onTime.acquire(key);

        assertThat(answer(frozen.store.renew(List.of(new Renewal(stalled, LEASE)))))
                .isEmpty();
        assertThat(frozen.settle(stalled, OTHER)).isFalse();
        assertThat(onTime.settle(successor, DONE)).isTrue();
    }

    private static Outcome outcomeOf(Lease lease) {
        return Outcome.succeeded().payload("attempt " + lease.attempt()).build();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    /** A machine with a clock of its own. */
    private final class Machine {

        private final SettableClock clock;
        private final DynamoDbKeyStore store;

        Machine(Duration offset) {
            this.clock = SettableClock.at(TRUTH.plus(offset));
            this.store = DynamoDbKeyStore.builder(LocalDynamoDb.CLIENT)
                    .table(table)
                    .createIfMissing()
                    .maxClockSkew(SKEW)
                    .clock(clock)
                    .build();
        }

        Claim claim(Key wanted) {
            return answer(store.claim(ClaimRequest.builder(wanted, "charge", Fingerprint.of("body"))
                    .lease(LEASE)
                    .takeOver(true)
                    .build()));
        }

        Lease acquire(Key wanted) {
            Claim claim = claim(wanted);
            assertThat(claim).isInstanceOf(Claim.Acquired.class);
            return ((Claim.Acquired) claim).lease();
        }

        boolean settle(Lease lease, Outcome outcome) {
            return answer(store.settle(lease, outcome, RETENTION));
        }
    }
}
