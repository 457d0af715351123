package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Execution;
import dev.semel.OperationFailedException;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Reconciler;
import dev.semel.policy.Reconciler.Verdict;
import dev.semel.policy.Recovery;
import dev.semel.policy.Retention;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The answer to a retry after the first attempt died, under each recovery policy. */
class RecoveryTest extends EngineFixture {

    private static ExternalPolicy policy(Recovery recovery) {
        return Policy.external("charge").recovery(recovery).build();
    }

    private Semel reconcilingEngine(Verdict verdict) {
        return engine(
                store, builder -> builder.reconciler("charge", lapsed -> CompletableFuture.completedStage(verdict)));
    }

    @Test
    void holdNeverRunsAgain() {
        claimAndDie(policy(Recovery.HOLD));

        Execution<String> retry =
                engine().operation(policy(Recovery.HOLD), OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());

        assertThat(retry).isInstanceOf(Execution.Unknown.class);
        assertThat(effects).hasValue(0);
        assertThat(events(SemelEvent.Unknown.class)).hasSize(1);
    }

    @Test
    void holdAcceptsTheOutcomeOfAnOwnerThatWasOnlySlow() {
        Lease slow = claimAndDie(policy(Recovery.HOLD));
        Semel semel = engine();
        semel.operation(policy(Recovery.HOLD), OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());

        boolean settled = store.settle(
                        slow,
                        Outcome.succeeded().payload("receipt of the slow one").build(),
                        Retention.of(Duration.ofHours(1)))
                .toCompletableFuture()
                .join();

        assertThat(settled).isTrue();
        assertThat(semel.operation(policy(Recovery.HOLD), OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt of the slow one");
        assertThat(effects).hasValue(0);
    }

    @Test
    void reExecuteRunsAgainWithAHigherTokenAndSaysSo() {
        Lease dead = claimAndDie(policy(Recovery.RE_EXECUTE));
        AtomicLong token = new AtomicLong();
        AtomicInteger number = new AtomicInteger();

        Execution<String> retry = engine().operation(policy(Recovery.RE_EXECUTE), OutcomeCodec.text())
                .run(KEY, BODY, attempt -> {
                    token.set(attempt.token());
                    number.set(attempt.number());
                    return charge();
                });

        assertThat(retry)
                .isInstanceOfSatisfying(
                        Execution.Executed.class,
                        executed -> assertThat(executed.attempt()).isEqualTo(2));
        assertThat(number).hasValue(2);
        assertThat(token.get()).isGreaterThan(dead.token());
        assertThat(events(SemelEvent.TakenOver.class)).hasSize(1);
        assertThat(settleAsZombie(dead)).isFalse();
    }

    @Test
    void failSettlesTheKeyAsFailedAndRunsNothing() {
        claimAndDie(policy(Recovery.FAIL));

        Execution<String> retry =
                engine().operation(policy(Recovery.FAIL), OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());

        assertThat(retry).isInstanceOf(Execution.Replayed.class);
        assertThatThrownBy(retry::get)
                .isInstanceOf(OperationFailedException.class)
                .hasMessageContaining("died");
        assertThat(effects).hasValue(0);
        assertThat(state()).isEqualTo(KeyState.FAILED);
    }

    @Test
    void aReconcilerThatFoundTheOutcomeHasItReplayed() {
        claimAndDie(policy(Recovery.RECONCILE));
        Semel semel = reconcilingEngine(
                new Verdict.Done(Outcome.succeeded().payload("receipt found").build()));

        Execution<String> retry =
                semel.operation(policy(Recovery.RECONCILE), OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());

        assertThat(retry).isInstanceOf(Execution.Replayed.class);
        assertThat(retry.get()).isEqualTo("receipt found");
        assertThat(effects).hasValue(0);
    }

    @Test
    void aReconcilerThatSaysNotExecutedHasItRun() {
        Lease dead = claimAndDie(policy(Recovery.RECONCILE));
        Semel semel = reconcilingEngine(new Verdict.NotExecuted());

        assertThat(semel.operation(policy(Recovery.RECONCILE), OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
        assertThat(settleAsZombie(dead)).isFalse();
    }

    @Test
    void aReconcilerThatCannotTellMakesTheKeyUnknown() {
        claimAndDie(policy(Recovery.RECONCILE));
        Semel semel = reconcilingEngine(new Verdict.CannotTell());

        assertThat(semel.operation(policy(Recovery.RECONCILE), OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(Execution.Unknown.class);
        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
        assertThat(effects).hasValue(0);
    }

    @Test
    void aReconcilerThatFailsCannotTell() {
        claimAndDie(policy(Recovery.RECONCILE));
        Semel semel = engine(
                store,
                builder -> builder.reconciler(
                        "charge",
                        lapsed -> CompletableFuture.failedStage(new IllegalStateException("processor down"))));

        assertThat(semel.operation(policy(Recovery.RECONCILE), OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(Execution.Unknown.class);
        assertThat(events(SemelEvent.MaintenanceFailed.class)).hasSize(1);
    }

    @Test
    void reconcilingWithoutAReconcilerIsRefusedBeforeAnythingIsClaimed() {
        Semel semel = engine();

        assertThatThrownBy(() -> semel.operation(policy(Recovery.RECONCILE), OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("\"charge\" has recovery RECONCILE but no reconciler");
        assertThat(isAbsent()).isTrue();
    }

    private boolean settleAsZombie(Lease lease) {
        return store.settle(lease, Outcome.succeeded().build(), Retention.of(Duration.ofHours(1)))
                .toCompletableFuture()
                .join();
    }

    @Test
    void aReconcilerLearnsHowLongAgoTheLeaseEnded() {
        ExternalPolicy policy =
                Policy.external("charge").recovery(Recovery.RECONCILE).build();
        List<Reconciler.Case> asked = new CopyOnWriteArrayList<>();
        Semel semel = engine(
                store,
                builder -> builder.policy(policy).reconciler("charge", lapsed -> {
                    asked.add(lapsed);
                    return CompletableFuture.completedStage(new Reconciler.Verdict.CannotTell());
                }));
        claimAndDie(policy);
        clock.advance(Duration.ofMinutes(10));

        assertThat(semel.operation(policy, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(Execution.Unknown.class);
        clock.advance(policy.lease().plus(Duration.ofHours(1)));
        semel.maintain().toCompletableFuture().join();

        assertThat(asked).extracting(Reconciler.Case::age).containsExactly(Duration.ofMinutes(10), Duration.ofHours(1));
        assertThat(effects).hasValue(0);
    }
}
