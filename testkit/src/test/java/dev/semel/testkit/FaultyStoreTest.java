package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.spi.Renewal;
import dev.semel.spi.StepRecording;
import dev.semel.spi.TransactionJoining;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.StoreNode;
import dev.semel.testkit.contract.support.TestGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class FaultyStoreTest {

    private final StoreNode healthy = new StoreNode(InMemoryKeyStore.create());
    private final FaultyStore faulty = FaultyStore.around(healthy.store());
    private final StoreNode node = new StoreNode(faulty.store());
    private final Key key = Key.of("tenant", "order-1");

    @Test
    void hasExactlyTheCapabilitiesOfItsDelegate() {
        assertThat(faulty.store())
                .isInstanceOf(Purging.class)
                .isInstanceOf(Inspecting.class)
                .isInstanceOf(StepRecording.class)
                .isInstanceOf(DecisionLog.class)
                .isNotInstanceOf(TransactionJoining.class);
        assertThat(FaultyStore.around(new Bare()).store())
                .isInstanceOf(KeyStore.class)
                .isInstanceOf(TransactionJoining.class)
                .isNotInstanceOf(Inspecting.class);
    }

    @Test
    void letsCallsThroughAndCountsThem() {
        Lease lease = node.acquire(key);

        assertThat(node.settle(lease, TestGroup.DONE)).isTrue();
        assertThat(node.replay(key).outcome()).isEqualTo(TestGroup.DONE);
        assertThat(faulty.count(StoreCall.CLAIM)).isEqualTo(2);
        assertThat(faulty.count(StoreCall.SETTLE)).isEqualTo(1);
        assertThat(faulty.count(StoreCall.RENEW)).isZero();
    }

    @Test
    void tellsAWatcherOfCallsThatReachTheStore() {
        List<String> seen = new ArrayList<>();
        faulty.watch(new FaultyStore.Watcher() {
            @Override
            public void sent(StoreCall call) {
                seen.add("before " + call + " " + healthy.find(key).isPresent());
            }

            @Override
            public void answered(StoreCall call) {
                seen.add("after " + call + " " + healthy.find(key).isPresent());
            }
        });
        faulty.next(StoreCall.CLAIM, Fault.FAILS_BEFORE);

        assertThatThrownBy(() -> node.acquire(key)).isInstanceOf(StoreUnavailableException.class);
        node.acquire(key);

        assertThat(seen).containsExactly("before CLAIM false", "after CLAIM true");
    }

    @Test
    void failsBeforeTheEffect() {
        faulty.next(StoreCall.CLAIM, Fault.FAILS_BEFORE);

        assertThatThrownBy(() -> node.acquire(key))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("CLAIM FAILS_BEFORE");

        assertThat(healthy.find(key)).isEmpty();
        node.acquire(key);
    }

    @Test
    void failsAfterTheEffect() {
        faulty.next(StoreCall.CLAIM, Fault.FAILS_AFTER);

        assertThatThrownBy(() -> node.acquire(key)).isInstanceOf(StoreUnavailableException.class);

        assertThat(healthy.find(key)).isPresent();
    }

    @Test
    void neverAnswersThoughTheCallTookEffect() {
        faulty.next(StoreCall.CLAIM, Fault.NEVER_ANSWERS);

        CompletionStage<Claim> answer =
                faulty.store().claim(ClaimTemplate.forKey(key).request());

        assertThat(answer.toCompletableFuture()).isNotDone();
        assertThat(healthy.find(key)).isPresent();
    }

    @Test
    void usesUpFaultsInOrderBeforeTheOneForEveryCall() {
        faulty.next(StoreCall.PURGE, Fault.FAILS_AFTER);
        faulty.next(StoreCall.PURGE, Fault.FAILS_BEFORE);
        faulty.every(StoreCall.PURGE, Fault.FAILS_BEFORE);

        assertThatThrownBy(() -> node.purge(1)).hasMessageContaining("FAILS_AFTER");
        assertThatThrownBy(() -> node.purge(1)).hasMessageContaining("FAILS_BEFORE");
        assertThatThrownBy(() -> node.purge(1)).hasMessageContaining("FAILS_BEFORE");
        node.acquire(key);

        faulty.heal();
        assertThat(node.purge(1).removed()).isZero();
    }

    @Test
    void holdsACallBeforeItsEffect() {
        Gate gate = faulty.hold(StoreCall.CLAIM);
        assertThat(gate.hasArrived()).isFalse();

        CompletionStage<Claim> answer =
                faulty.store().claim(ClaimTemplate.forKey(key).request());
        gate.awaitArrival();
        assertThat(healthy.find(key)).isEmpty();

        gate.release();
        assertThat(StoreNode.answer(answer)).isInstanceOf(Claim.Acquired.class);
        assertThat(healthy.find(key)).isPresent();
    }

    @Test
    void holdsTheAnswerBehindTheEffect() {
        Gate gate = faulty.holdAnswer(StoreCall.CLAIM);

        CompletionStage<Claim> answer =
                faulty.store().claim(ClaimTemplate.forKey(key).request());
        gate.awaitArrival();
        assertThat(answer.toCompletableFuture()).isNotDone();
        assertThat(healthy.find(key)).isPresent();

        gate.release();
        assertThat(StoreNode.answer(answer)).isInstanceOf(Claim.Acquired.class);
    }

    @Test
    void disturbsCallsInATransaction() {
        Bare bare = new Bare();
        FaultyStore around = FaultyStore.around(bare);
        @SuppressWarnings("unchecked")
        TransactionJoining<String> joining = (TransactionJoining<String>) around.store();
        Lease lease = node.acquire(key);
        around.next(StoreCall.SETTLE_IN_TRANSACTION, Fault.FAILS_BEFORE);
        around.next(StoreCall.SETTLE_IN_TRANSACTION, Fault.FAILS_AFTER);

        assertThatThrownBy(() -> joining.settle("tx", lease, TestGroup.DONE, TestGroup.KEPT))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(bare.settles).isZero();
        assertThatThrownBy(() -> joining.settle("tx", lease, TestGroup.DONE, TestGroup.KEPT))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(bare.settles).isEqualTo(1);
        assertThat(joining.settle("tx", lease, TestGroup.DONE, TestGroup.KEPT)).isTrue();
        assertThat(joining.transactionType()).isEqualTo(String.class);
    }

    @Test
    void passesOnWhatTheDelegateThrows() {
        assertThatThrownBy(() -> FaultyStore.around(new Bare()).store().renew(List.of()))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void isEqualToItselfOnly() {
        assertThat(faulty.store())
                .isEqualTo(faulty.store())
                .isNotEqualTo(healthy.store())
                .hasSameHashCodeAs(faulty.store())
                .asString()
                .startsWith("FaultyStore[");
    }

    /** Joins transactions, and has no other capability. */
    private static final class Bare implements KeyStore, TransactionJoining<String> {

        private int settles;

        @Override
        public boolean isTransient(Throwable failure) {
            return false;
        }

        @Override
        public Class<String> transactionType() {
            return String.class;
        }

        @Override
        public Claim claim(String transaction, ClaimRequest request) {
            return new Claim.Unknown();
        }

        @Override
        public boolean settle(String transaction, Lease lease, Outcome outcome, Retention retention) {
            settles++;
            return true;
        }

        @Override
        public CompletionStage<Claim> claim(ClaimRequest request) {
            return CompletableFuture.completedFuture(new Claim.Unknown());
        }

        @Override
        public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
            return CompletableFuture.completedFuture(false);
        }

        @Override
        public CompletionStage<Set<Lease>> renew(Collection<Renewal> renewals) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Boolean> release(Lease lease) {
            return CompletableFuture.completedFuture(false);
        }

        @Override
        public CompletionStage<Boolean> abandon(Lease lease) {
            return CompletableFuture.completedFuture(false);
        }

        @Override
        public void close() {}
    }
}
