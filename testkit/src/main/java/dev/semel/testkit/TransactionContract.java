package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.Lease;
import dev.semel.spi.TransactionJoining;
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

    /** Begins a transaction on its own connection. */
    protected abstract Transaction<C> begin();

    @Test
    void aCommitMakesTheOutcomeVisible() {
        Lease lease = node().acquire(key());
        try (Transaction<C> transaction = begin()) {
            assertThat(settle(transaction, lease)).isTrue();
            transaction.commit();
        }

        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
        assertThat(node().replay(key()).token()).isEqualTo(lease.token());
    }

    @Test
    void aRollbackLeavesTheKeyPending() {
        Lease lease = node().acquire(key());
        try (Transaction<C> transaction = begin()) {
            assertThat(settle(transaction, lease)).isTrue();
        }

        assertThat(node().claim(key())).isInstanceOf(Claim.InFlight.class);
        assertThat(node().settle(lease, OTHER)).isTrue();
    }

    @Test
    void anAttemptThatLostItsLeaseCannotSettleInItsTransaction() {
        Lease stalled = node().acquireBriefly(key());
        try (Transaction<C> transaction = begin()) {
            bench().pass();
            Lease successor = bench().newNode().takenOver(key());

            assertThat(joining().settle(transaction.handle(), stalled, OTHER, KEPT))
                    .isFalse();

            assertThat(node().settle(successor, DONE)).isTrue();
        }
        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    @Test
    void aLapsedOwnerThatWasNotReplacedSettlesInItsTransaction() {
        Lease lease = lapsed(key());
        try (Transaction<C> transaction = begin()) {
            assertThat(settle(transaction, lease)).isTrue();
            transaction.commit();
        }

        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    /** The takeover either waits for the transaction to end, or gets <em>in flight</em>. */
    @Test
    void aLeaseSettledInAnOpenTransactionIsNotTakenOver() {
        Lease lease = lapsed(key());
        Claim during;
        try (Transaction<C> transaction = begin()) {
            assertThat(settle(transaction, lease)).isTrue();
            var takeover = bench().newNode()
                    .store()
                    .claim(ClaimTemplate.forKey(key()).takingOver().request())
                    .toCompletableFuture();
            transaction.commit();
            during = StoreNode.answer(takeover);
        }

        assertThat(during).isNotInstanceOf(Claim.Acquired.class);
        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    @Test
    void aClaimASettleAndACommitAreOneStep() {
        try (Transaction<C> transaction = begin()) {
            Lease lease = acquire(transaction, ClaimTemplate.forKey(key()));
            assertThat(lease.attempt()).isEqualTo(1);
            assertThat(settle(transaction, lease)).isTrue();
            transaction.commit();
        }

        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    @Test
    void aRollbackLeavesAClaimedKeyAbsent() {
        long token;
        try (Transaction<C> transaction = begin()) {
            Lease lease = acquire(transaction, ClaimTemplate.forKey(key()));
            settle(transaction, lease);
            token = lease.token();
        }

        Lease next = node().acquire(key());
        assertThat(next.attempt()).isEqualTo(1);
        assertThat(next.token()).isNotEqualTo(token);
    }

    /** The first transaction stays open: if the duplicate waited for it, this would never end. */
    @Test
    void aDuplicateImmediatelyGetsInFlight() {
        try (Transaction<C> first = begin()) {
            acquire(first, ClaimTemplate.forKey(key()));
            try (Transaction<C> second = begin()) {
                assertThat(claim(second, ClaimTemplate.forKey(key()))).isInstanceOf(Claim.InFlight.class);
                assertThat(claim(second, ClaimTemplate.forKey(key()).takingOver()))
                        .isInstanceOf(Claim.InFlight.class);
            }
        }
    }

    @Test
    void aDuplicateOutsideATransactionIsNotHeldUpEither() {
        try (Transaction<C> first = begin()) {
            Lease lease = acquire(first, ClaimTemplate.forKey(key()));

            assertThat(node().claim(key())).isInstanceOf(Claim.InFlight.class);
            assertThat(node().acquire(bench().newKey()).attempt()).isEqualTo(1);

            settle(first, lease);
            first.commit();
        }

        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    @Test
    void aRefusedClaimLeavesTheTransactionFitToCommit() {
        Key pending = bench().newKey();
        Key settled = bench().newKey();
        Key unknown = bench().newKey();
        Key held = bench().newKey();
        Key mine = bench().newKey();
        node().acquire(pending);
        node().settled(settled, OTHER, KEPT);
        node().abandon(node().acquire(unknown));
        try (Transaction<C> holder = begin();
                Transaction<C> transaction = begin()) {
            acquire(holder, ClaimTemplate.forKey(held));

            assertThat(claim(transaction, pending)).isInstanceOf(Claim.InFlight.class);
            assertThat(claim(transaction, settled)).isInstanceOf(Claim.Settled.class);
            assertThat(claim(transaction, unknown)).isInstanceOf(Claim.Unknown.class);
            assertThat(claim(transaction, held)).isInstanceOf(Claim.InFlight.class);
            assertThat(claim(transaction, ClaimTemplate.forKey(pending).withBody(ClaimTemplate.OTHER_BODY)))
                    .isInstanceOf(Claim.Mismatch.class);
            Lease lease = acquire(transaction, ClaimTemplate.forKey(mine));
            assertThat(settle(transaction, lease)).isTrue();
            transaction.commit();
        }

        assertThat(node().replay(mine).outcome()).isEqualTo(DONE);
        assertThat(node().acquire(held).attempt()).isEqualTo(1);
    }

    @Test
    void aClaimTakesOverAndReusesWithinATransaction() {
        Key lapsed = bench().newKey();
        Key expired = bench().newKey();
        Lease stalled = node().acquireBriefly(lapsed);
        Lease former = node().settled(expired, OTHER, BRIEF);
        bench().pass();
        try (Transaction<C> transaction = begin()) {
            Lease second = acquire(transaction, ClaimTemplate.forKey(lapsed).takingOver());
            Lease next = acquire(transaction, ClaimTemplate.forKey(expired));
            assertThat(second.attempt()).isEqualTo(2);
            assertThat(second.token()).isGreaterThan(stalled.token());
            assertThat(next.attempt()).isEqualTo(1);
            assertThat(next.token()).isGreaterThan(former.token());
            settle(transaction, second);
            settle(transaction, next);
            transaction.commit();
        }

        assertThat(node().settle(stalled, OTHER)).isFalse();
        assertThat(node().replay(lapsed).outcome()).isEqualTo(DONE);
        assertThat(node().replay(expired).outcome()).isEqualTo(DONE);
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
                        settle(transaction, acquired.lease());
                        transaction.commit();
                    }
                    return claim;
                }
            });

            assertThat(ledger[0]).isEqualTo(1);
            assertThat(claims)
                    .filteredOn(claim -> !(claim instanceof Claim.Acquired))
                    .allMatch(claim -> claim instanceof Claim.InFlight || claim instanceof Claim.Settled);
            assertThat(node().replay(key).outcome()).isEqualTo(DONE);
        }
    }

    private Claim claim(Transaction<C> transaction, Key key) {
        return claim(transaction, ClaimTemplate.forKey(key));
    }

    private Claim claim(Transaction<C> transaction, ClaimTemplate template) {
        return joining().claim(transaction.handle(), template.request());
    }

    private Lease acquire(Transaction<C> transaction, ClaimTemplate template) {
        Claim claim = claim(transaction, template);
        assertThat(claim).isInstanceOf(Claim.Acquired.class);
        return ((Claim.Acquired) claim).lease();
    }

    private boolean settle(Transaction<C> transaction, Lease lease) {
        return joining().settle(transaction.handle(), lease, DONE, KEPT);
    }

    @SuppressWarnings("unchecked")
    private TransactionJoining<C> joining() {
        assumeTrue(node().has(TransactionJoining.class), "this store does not join transactions");
        return node().require(TransactionJoining.class);
    }
}
