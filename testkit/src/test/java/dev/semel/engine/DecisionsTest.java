package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Execution;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.Decisions;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.Resolution;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.StoreCall;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A person's decision about a key must still be right when it is applied. */
class DecisionsTest extends EngineFixture {

    private static final ExternalPolicy POLICY =
            Policy.external("charge").lease(Duration.ofMillis(200)).build();

    private Decisions.Result decide(long token, Resolution resolution) {
        return Decisions.apply(
                        store,
                        KEY.digest(),
                        token,
                        resolution,
                        new DecisionLog.Person("alice", null),
                        "looked at the ledger")
                .toCompletableFuture()
                .join();
    }

    private KeyRecord found() {
        return store.find(KEY.digest()).toCompletableFuture().join().orElseThrow();
    }

    /** The owner waits for a thread when the operator looks, and starts between the look and the decision. */
    @Test
    void anOperationThatStartsAfterTheOperatorLookedDoesNotRunTwice() {
        FaultyStore faulty = FaultyStore.around(store);
        Deque<Runnable> queue = new ArrayDeque<>();
        Semel owner = engine(faulty.store(), builder -> builder.executor(queue::add));
        CompletableFuture<String> work = new CompletableFuture<>();
        faulty.every(StoreCall.RENEW, Fault.FAILS_BEFORE);
        CompletionStage<Execution<String>> waiting = owner.operation(POLICY, OutcomeCodec.text())
                .runAsync(KEY, BODY, attempt -> {
                    charge();
                    return work;
                });
        await().until(() -> !queue.isEmpty());
        clock.advance(POLICY.lease());
        await().pollDelay(POLICY.lease()).until(() -> true);
        long seen = found().token();
        assertThat(effects).hasValue(0);

        faulty.heal();
        await().until(() -> {
            Runnable task = queue.poll();
            if (task != null) {
                task.run();
            }
            return effects.get() == 1;
        });
        faulty.every(StoreCall.RENEW, Fault.FAILS_BEFORE);
        clock.advance(POLICY.lease());

        assertThat(decide(seen, new Resolution.Release())).isEqualTo(Decisions.Result.HELD_FIRST);
        assertThat(engine().operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(Execution.Unknown.class);
        assertThat(effects).hasValue(1);
        work.complete("receipt");
        assertThat(waiting.toCompletableFuture().join().get()).isEqualTo("receipt");
    }

    @Test
    void aKeyThatWasHeldIsDecidedTheSecondTime() {
        Lease lease = claimAndDie(POLICY);

        assertThat(decide(lease.token(), new Resolution.Release())).isEqualTo(Decisions.Result.HELD_FIRST);
        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
        assertThat(decide(lease.token(), new Resolution.Release())).isEqualTo(Decisions.Result.APPLIED);
        assertThat(isAbsent()).isTrue();
    }

    @Test
    void aFailureIsDecidedOnlyAboutAKeyThatCannotStart() {
        Lease lease = claimAndDie(POLICY);
        Resolution failed =
                new Resolution.Settle(Outcome.failed().payload("declined").build());

        assertThat(decide(lease.token(), failed)).isEqualTo(Decisions.Result.HELD_FIRST);
        assertThat(decide(lease.token(), failed)).isEqualTo(Decisions.Result.APPLIED);
        assertThat(state()).isEqualTo(KeyState.FAILED);
    }

    @Test
    void aSuccessIsDecidedAtOnce() {
        Lease lease = claimAndDie(POLICY);

        assertThat(decide(
                        lease.token(), new Resolution.Settle(OutcomeCodec.text().encode("receipt"))))
                .isEqualTo(Decisions.Result.APPLIED);
        assertThat(state()).isEqualTo(KeyState.SUCCEEDED);
    }

    @Test
    void aKeyThatIsAliveIsNotDecided() {
        Lease lease = claimElsewhere(POLICY);

        assertThat(decide(lease.token(), new Resolution.Release())).isEqualTo(Decisions.Result.MOVED_ON);
        assertThat(state()).isEqualTo(KeyState.PENDING);
    }
}
