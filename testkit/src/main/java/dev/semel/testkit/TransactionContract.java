package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.TransactionJoining;
import dev.semel.testkit.contract.support.Bench;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.ContractSupport;
import dev.semel.testkit.contract.support.StoreNode;
import dev.semel.testkit.contract.support.TestGroup;
import dev.semel.testkit.race.RaceTester;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract of a store whose writes can be part of the application's own transaction.
 *
 * @param <C> the handle of a transaction
 */
public abstract class TransactionContract<C> extends ContractSupport implements TestGroup {

    /** A transaction of the application. Closing it rolls back what was not committed. */
    public interface Transaction<C> extends AutoCloseable {

        C handle();

        void commit();

        @Override
        void close();
    }

    /** Begins a transaction on a connection of its own. */
    protected abstract Transaction<C> begin();

    @Test
    void aCommitMakesTheOutcomeVisible() {
        Key key = bench().newKey();
        Lease lease = node().acquire(key);
        try (Transaction<C> transaction = begin()) {
            assertThat(joining().settle(transaction.handle(), lease, Bench.DONE, Bench.KEPT))
                    .isTrue();
            transaction.commit();
        }

        assertThat(node().replay(key).outcome()).isEqualTo(Bench.DONE);
        assertThat(node().replay(key).token()).isEqualTo(lease.token());
    }

    @Test
    void aRollbackLeavesTheKeyPending() {
        Key key = bench().newKey();
        Lease lease = node().acquire(key);
        try (Transaction<C> transaction = begin()) {
            assertThat(joining().settle(transaction.handle(), lease, Bench.DONE, Bench.KEPT))
                    .isTrue();
        }

        assertThat(node().claim(ClaimTemplate.forKey(key))).isInstanceOf(Claim.InFlight.class);
        assertThat(node().settle(lease, Bench.OTHER)).isTrue();
    }

    @Test
    void anAttemptThatLostItsLeaseCannotSettleInItsTransaction() {
        Key key = bench().newKey();
        Lease stalled = node().acquire(ClaimTemplate.forKey(key).withLease(Bench.SHORT));
        try (Transaction<C> transaction = begin()) {
            bench().pass();
            Lease successor =
                    bench().newNode().acquire(ClaimTemplate.forKey(key).takingOver());

            assertThat(joining().settle(transaction.handle(), stalled, Bench.OTHER, Bench.KEPT))
                    .isFalse();

            assertThat(node().settle(successor, Bench.DONE)).isTrue();
        }
        assertThat(node().replay(key).outcome()).isEqualTo(Bench.DONE);
    }

    @Test
    void aLapsedOwnerThatNobodyTookOverSettlesInItsTransaction() {
        Key key = bench().newKey();
        Lease lease = node().acquire(ClaimTemplate.forKey(key).withLease(Bench.SHORT));
        bench().pass();
        try (Transaction<C> transaction = begin()) {
            assertThat(joining().settle(transaction.handle(), lease, Bench.DONE, Bench.KEPT))
                    .isTrue();
            transaction.commit();
        }

        assertThat(node().replay(key).outcome()).isEqualTo(Bench.DONE);
    }

    /** The takeover either waits for the transaction to end, or is told that the key is in flight. */
    @Test
    void nobodyTakesALeaseThatIsSettledInAnOpenTransaction() {
        Key key = bench().newKey();
        Lease lease = node().acquire(ClaimTemplate.forKey(key).withLease(Bench.SHORT));
        bench().pass();
        Claim during;
        try (Transaction<C> transaction = begin()) {
            assertThat(joining().settle(transaction.handle(), lease, Bench.DONE, Bench.KEPT))
                    .isTrue();
            var takeover = bench().newNode()
                    .store()
                    .claim(ClaimTemplate.forKey(key).takingOver().request())
                    .toCompletableFuture();
            transaction.commit();
            during = StoreNode.answer(takeover);
        }

        assertThat(during).isNotInstanceOf(Claim.Acquired.class);
        assertThat(node().replay(key).outcome()).isEqualTo(Bench.DONE);
    }

    @Test
    void aClaimASettleAndACommitAreOneStep() {
        Key key = bench().newKey();
        try (Transaction<C> transaction = begin()) {
            Lease lease = acquire(transaction, ClaimTemplate.forKey(key).request());
            assertThat(lease.attempt()).isEqualTo(1);
            assertThat(joining().settle(transaction.handle(), lease, Bench.DONE, Bench.KEPT))
                    .isTrue();
            transaction.commit();
        }

        assertThat(node().replay(key).outcome()).isEqualTo(Bench.DONE);
    }

    @Test
    void aRollbackLeavesAClaimedKeyAbsent() {
        Key key = bench().newKey();
        long token;
        try (Transaction<C> transaction = begin()) {
            Lease lease = acquire(transaction, ClaimTemplate.forKey(key).request());
            joining().settle(transaction.handle(), lease, Bench.DONE, Bench.KEPT);
            token = lease.token();
        }

        Lease next = node().acquire(key);
        assertThat(next.attempt()).isEqualTo(1);
        assertThat(next.token()).isNotEqualTo(token);
    }

    /** The first transaction stays open: if the duplicate waited for it, this would never end. */
    @Test
    void aDuplicateIsToldAtOnceThatTheKeyIsInFlight() {
        Key key = bench().newKey();
        try (Transaction<C> first = begin()) {
            acquire(first, ClaimTemplate.forKey(key).request());
            try (Transaction<C> second = begin()) {
                assertThat(joining()
                                .claim(
                                        second.handle(),
                                        ClaimTemplate.forKey(key).request()))
                        .isInstanceOf(Claim.InFlight.class);
                assertThat(joining()
                                .claim(
                                        second.handle(),
                                        ClaimTemplate.forKey(key).takingOver().request()))
                        .isInstanceOf(Claim.InFlight.class);
            }
        }
    }

    @Test
    void aDuplicateOutsideATransactionIsNotHeldUpEither() {
        Key key = bench().newKey();
        try (Transaction<C> first = begin()) {
            Lease lease = acquire(first, ClaimTemplate.forKey(key).request());

            assertThat(node().claim(ClaimTemplate.forKey(key))).isInstanceOf(Claim.InFlight.class);
            assertThat(node().acquire(bench().newKey()).attempt()).isEqualTo(1);

            joining().settle(first.handle(), lease, Bench.DONE, Bench.KEPT);
            first.commit();
        }

        assertThat(node().replay(key).outcome()).isEqualTo(Bench.DONE);
    }

    @Test
    void aRefusedClaimLeavesTheTransactionFitToCommit() {
        Key pending = bench().newKey();
        Key settled = bench().newKey();
        Key unknown = bench().newKey();
        Key held = bench().newKey();
        Key mine = bench().newKey();
        node().acquire(pending);
        node().settled(settled, Bench.OTHER, Bench.KEPT);
        node().abandon(node().acquire(unknown));
        try (Transaction<C> holder = begin();
                Transaction<C> transaction = begin()) {
            acquire(holder, ClaimTemplate.forKey(held).request());

            assertThat(claim(transaction, pending)).isInstanceOf(Claim.InFlight.class);
            assertThat(claim(transaction, settled)).isInstanceOf(Claim.Settled.class);
            assertThat(claim(transaction, unknown)).isInstanceOf(Claim.Unknown.class);
            assertThat(claim(transaction, held)).isInstanceOf(Claim.InFlight.class);
            assertThat(joining()
                            .claim(
                                    transaction.handle(),
                                    ClaimTemplate.forKey(pending)
                                            .withBody(ClaimTemplate.OTHER_BODY)
                                            .request()))
                    .isInstanceOf(Claim.Mismatch.class);
            Lease lease = acquire(transaction, ClaimTemplate.forKey(mine).request());
            assertThat(joining().settle(transaction.handle(), lease, Bench.DONE, Bench.KEPT))
                    .isTrue();
            transaction.commit();
        }

        assertThat(node().replay(mine).outcome()).isEqualTo(Bench.DONE);
        assertThat(node().acquire(held).attempt()).isEqualTo(1);
    }

    @Test
    void aClaimTakesOverAndReusesWithinATransaction() {
        Key lapsed = bench().newKey();
        Key expired = bench().newKey();
        Lease stalled = node().acquire(ClaimTemplate.forKey(lapsed).withLease(Bench.SHORT));
        Lease former = node().settled(expired, Bench.OTHER, Bench.BRIEF);
        bench().pass();
        try (Transaction<C> transaction = begin()) {
            Lease second = acquire(
                    transaction, ClaimTemplate.forKey(lapsed).takingOver().request());
            Lease next = acquire(transaction, ClaimTemplate.forKey(expired).request());
            assertThat(second.attempt()).isEqualTo(2);
            assertThat(second.token()).isGreaterThan(stalled.token());
            assertThat(next.attempt()).isEqualTo(1);
            assertThat(next.token()).isGreaterThan(former.token());
            joining().settle(transaction.handle(), second, Bench.DONE, Bench.KEPT);
            joining().settle(transaction.handle(), next, Bench.DONE, Bench.KEPT);
            transaction.commit();
        }

        assertThat(node().settle(stalled, Bench.OTHER)).isFalse();
        assertThat(node().replay(lapsed).outcome()).isEqualTo(Bench.DONE);
        assertThat(node().replay(expired).outcome()).isEqualTo(Bench.DONE);
    }

    @Test
    void anEffectHappensOnceHoweverManyTransactionsRace() {
        for (Key key : bench().newKeys(5)) {
            int[] ledger = new int[1];
            List<Claim> claims = RaceTester.race(6, i -> {
                try (Transaction<C> transaction = begin()) {
                    Claim claim = claim(transaction, key);
                    if (claim instanceof Claim.Acquired acquired) {
                        ledger[0]++;
                        joining().settle(transaction.handle(), acquired.lease(), Bench.DONE, Bench.KEPT);
                        transaction.commit();
                    }
                    return claim;
                }
            });

            assertThat(ledger[0]).isEqualTo(1);
            assertThat(claims)
                    .filteredOn(claim -> !(claim instanceof Claim.Acquired))
                    .allMatch(claim -> claim instanceof Claim.InFlight || claim instanceof Claim.Settled);
            assertThat(node().replay(key).outcome()).isEqualTo(Bench.DONE);
        }
    }

    private Claim claim(Transaction<C> transaction, Key key) {
        return joining().claim(transaction.handle(), ClaimTemplate.forKey(key).request());
    }

    private Lease acquire(Transaction<C> transaction, ClaimRequest request) {
        Claim claim = joining().claim(transaction.handle(), request);
        assertThat(claim).isInstanceOf(Claim.Acquired.class);
        return ((Claim.Acquired) claim).lease();
    }

    @SuppressWarnings("unchecked")
    private TransactionJoining<C> joining() {
        assumeTrue(node().has(TransactionJoining.class), "this store does not join transactions");
        return node().require(TransactionJoining.class);
    }
}
