package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Attempt;
import dev.semel.Call;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Key;
import dev.semel.LeaseLostException;
import dev.semel.NoValueException;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeCodec;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.SemelClosedException;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.spi.KeyState;
import dev.semel.spi.Resolution;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.Gate;
import dev.semel.testkit.StoreCall;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A failure around an operation never becomes its outcome, and nothing starts under a lease that may be lost. */
class CompositionTest extends EngineFixture {

    private static final ExternalPolicy CHILD = Policy.external("child").build();

    private static final Duration SHORT = Duration.ofMillis(200);

    private final FaultyStore faulty = FaultyStore.around(store);
    private final Deque<Runnable> queue = new ArrayDeque<>();

    private Semel impatient() {
        return engine(
                faulty.store(),
                builder -> builder.storeTimeout(SHORT).patience(SHORT, SHORT).executor(queue::add));
    }

    private static ExternalPolicy external(Recovery recovery) {
        return Policy.external("charge").recovery(recovery).build();
    }

    private KeyState afterCannotTell(Recovery recovery) {
        return recovery == Recovery.HOLD ? KeyState.UNKNOWN : KeyState.PENDING;
    }

    @ParameterizedTest
    @EnumSource(
            value = Recovery.class,
            names = {"HOLD", "RE_EXECUTE", "FAIL"})
    void aStepThatCannotBeRecordedIsNotTheOperationsFailure(Recovery recovery) {
        faulty.every(StoreCall.RECORD_STEP, Fault.FAILS_BEFORE);

        assertThatThrownBy(() -> impatient()
                        .operation(external(recovery), OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> attempt.step("charge", Codec.text(), this::charge)))
                .isInstanceOf(StoreUnavailableException.class);

        assertThat(state()).isEqualTo(afterCannotTell(recovery));
    }

    @Test
    void aFailureOfSemelIsFoundHoweverDeepTheApplicationHasWrappedIt() {
        assertThatThrownBy(() -> engine().operation(external(Recovery.HOLD), OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> {
                            charge();
                            throw new IllegalStateException(
                                    "order failed", new RuntimeException(new StoreUnavailableException("away", null)));
                        }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    void aNestedKeyInFlightIsNotTheParentsFailure() throws Exception {
        Semel semel = engine();
        Key key = Key.of("merchant", KEY.childValue("charge"));
        CompletableFuture<String> elsewhere = new CompletableFuture<>();
        engine().operation(CHILD, OutcomeCodec.text()).runAsync(key, BODY, attempt -> elsewhere);
        await().until(() ->
                store.find(key.digest()).toCompletableFuture().join().isPresent());

        assertThatThrownBy(() -> semel.operation(external(Recovery.RE_EXECUTE), OutcomeCodec.text())
                        .run(
                                KEY,
                                BODY,
                                attempt -> semel.operation(CHILD, OutcomeCodec.text())
                                        .run(key, BODY, inner -> charge())
                                        .get()))
                .isInstanceOf(NoValueException.class);
        assertThat(state()).isEqualTo(KeyState.PENDING);

        elsewhere.complete("receipt of the child");
        await().until(() -> semel.operation(CHILD, OutcomeCodec.text()).run(key, BODY, inner -> charge())
                instanceof Execution.Replayed);
        clock.advance(Policy.DEFAULT_LEASE);
        assertThat(semel.operation(external(Recovery.RE_EXECUTE), OutcomeCodec.text())
                        .run(
                                KEY,
                                BODY,
                                attempt -> semel.operation(CHILD, OutcomeCodec.text())
                                        .run(key, BODY, inner -> charge())
                                        .get())
                        .get())
                .isEqualTo("receipt of the child");
    }

    @Test
    void aStoredFailureOfANestedOperationIsTheParentsToo() {
        Semel semel = engine();
        Key key = Key.of("merchant", "child");
        assertThatThrownBy(() -> semel.operation(CHILD, OutcomeCodec.text()).run(key, BODY, inner -> {
                    throw new IllegalStateException("declined");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThatThrownBy(() -> semel.operation(external(Recovery.HOLD), OutcomeCodec.text())
                .run(
                        KEY,
                        BODY,
                        attempt -> semel.operation(CHILD, OutcomeCodec.text())
                                .run(key, BODY, inner -> charge())
                                .get()));

        assertThat(state()).isEqualTo(KeyState.FAILED);
    }

    @Test
    void aNestedOperationThatDidNotExecuteDoesNotReleaseItsParent() {
        Semel semel = engine();
        assertThatThrownBy(() -> semel.operation(external(Recovery.HOLD), OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> {
                            charge();
                            return semel.operation(CHILD, OutcomeCodec.text())
                                    .run(Key.of("merchant", "child"), BODY, this::refuse)
                                    .get();
                        }))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(NotExecutedException.class);

        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    void aFailureThatMeantNotExecutedToANestedOperationDoesNotReleaseItsParent() {
        Semel semel = engine();
        ExternalPolicy parent = Policy.external("charge")
                .notExecuted(IllegalStateException.class::isInstance)
                .build();
        ExternalPolicy nested = Policy.external("child")
                .notExecuted(IllegalStateException.class::isInstance)
                .build();
        assertThatThrownBy(() -> semel.operation(parent, OutcomeCodec.text()).run(KEY, BODY, attempt -> {
                    charge();
                    return semel.operation(nested, OutcomeCodec.text())
                            .run(Key.of("merchant", "child"), BODY, inner -> {
                                throw new IllegalStateException("no connection");
                            })
                            .get();
                }))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(IllegalStateException.class);

        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
    }

    private String refuse(Attempt attempt) {
        throw new NotExecutedException("no connection", null);
    }

    @Test
    void aStoredFailureThatIsMappedToAnExceptionDoesNotReleaseTheParent() {
        Semel semel = engine();
        OutcomeCodec<String> codec =
                OutcomeCodec.text().mapFailures(stored -> new IllegalStateException(stored.getMessage()));
        Call nested = Call.of(Key.of("merchant", "child"), BODY);
        assertThatThrownBy(() -> semel.operation(CHILD, codec).run(nested, inner -> {
                    throw new IllegalStateException("declined");
                }))
                .isInstanceOf(IllegalStateException.class);
        ExternalPolicy parent = Policy.external("charge")
                .notExecuted(IllegalStateException.class::isInstance)
                .build();

        assertThatThrownBy(() -> semel.operation(parent, OutcomeCodec.text()).run(KEY, BODY, attempt -> {
                    charge();
                    return semel.operation(CHILD, codec)
                            .run(nested, inner -> charge())
                            .get();
                }))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasRootCauseMessage("declined");

        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    void aNestedCallOnAClosedEngineIsNotTheParentsFailure() {
        Semel closed = engine();
        closed.close();

        assertThatThrownBy(() -> engine().operation(external(Recovery.HOLD), OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> {
                            charge();
                            return closed.operation(CHILD, OutcomeCodec.text())
                                    .run(Key.of("merchant", "child"), BODY, inner -> charge())
                                    .get();
                        }))
                .isInstanceOf(SemelClosedException.class);

        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    void aCancelledOperationHasNoOutcome() {
        CompletionStage<Execution<String>> execution = engine().operation(external(Recovery.HOLD), OutcomeCodec.text())
                .runAsync(KEY, BODY, attempt -> {
                    CompletableFuture<String> work = new CompletableFuture<>();
                    work.cancel(true);
                    return work;
                });

        assertThatThrownBy(() -> execution.toCompletableFuture().join())
                .hasRootCauseInstanceOf(CancellationException.class);
        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    void anOperationThatIsInterruptedHasNoOutcomeHoweverThatIsWrapped() {
        assertThatThrownBy(() -> engine().operation(external(Recovery.HOLD), OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> {
                            charge();
                            throw new IllegalStateException("no answer", new InterruptedException());
                        }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    void anOperationThatRanOutOfMemoryHasNoOutcome() {
        assertThatThrownBy(() -> engine().operation(external(Recovery.HOLD), OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> {
                            charge();
                            throw new OutOfMemoryError("planted");
                        }))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    void anOperationWhoseLeaseIsLostWhileItWaitsForAThreadDoesNotStart() {
        ExternalPolicy policy = Policy.external("charge").lease(SHORT).build();
        faulty.every(StoreCall.RENEW, Fault.FAILS_BEFORE);
        CompletionStage<Execution<String>> waiting = impatient()
                .operation(policy, OutcomeCodec.text())
                .runAsync(KEY, BODY, attempt -> CompletableFuture.completedStage(charge()));
        await().until(() -> !queue.isEmpty());
        operatorSaysNotExecuted(policy);
        assertThat(engine().operation(policy, OutcomeCodec.text())
                        .runAsync(
                                Call.of(KEY, BODY),
                                Runnable::run,
                                attempt -> CompletableFuture.completedStage(charge()))
                        .toCompletableFuture()
                        .join()
                        .get())
                .isEqualTo("receipt 1");
        await().pollDelay(SHORT.multipliedBy(2)).until(() -> true);
        faulty.heal();

        runQueue(waiting);

        assertThat(effects).hasValue(1);
        assertThat(waiting.toCompletableFuture().join()).isInstanceOf(Execution.LeaseLost.class);
    }

    @Test
    void anOperationDoesNotStartWhenItsLeaseCannotBeConfirmed() {
        ExternalPolicy policy = Policy.external("charge").lease(SHORT).build();
        faulty.every(StoreCall.RENEW, Fault.FAILS_BEFORE);
        CompletionStage<Execution<String>> waiting = impatient()
                .operation(policy, OutcomeCodec.text())
                .runAsync(KEY, BODY, attempt -> CompletableFuture.completedStage(charge()));
        await().until(() -> !queue.isEmpty());
        await().pollDelay(SHORT.multipliedBy(2)).until(() -> true);

        runQueue(waiting);

        assertThat(effects).hasValue(0);
        assertThatThrownBy(() -> waiting.toCompletableFuture().join()).hasCauseInstanceOf(NotExecutedException.class);
    }

    @Test
    void aLeaseThatMayHaveLapsedIsRenewedBeforeTheOperationStarts() {
        ExternalPolicy policy = Policy.external("charge").lease(SHORT).build();
        faulty.every(StoreCall.RENEW, Fault.FAILS_BEFORE);
        CompletionStage<Execution<String>> waiting = impatient()
                .operation(policy, OutcomeCodec.text())
                .runAsync(KEY, BODY, attempt -> CompletableFuture.completedStage(charge()));
        await().until(() -> !queue.isEmpty());
        await().pollDelay(SHORT.multipliedBy(2)).until(() -> true);
        faulty.heal();

        runQueue(waiting);

        assertThat(waiting.toCompletableFuture().join().get()).isEqualTo("receipt 1");
    }

    @Test
    void aStepDoesNotStartUnderALeaseThatIsLost() throws Exception {
        ExternalPolicy policy = Policy.external("charge").lease(SHORT).build();
        faulty.every(StoreCall.RENEW, Fault.FAILS_BEFORE);

        Execution<String> execution = impatient()
                .operation(policy, OutcomeCodec.text())
                .run(KEY, BODY, attempt -> {
                    operatorSaysNotExecuted(policy);
                    await().pollDelay(SHORT.multipliedBy(2)).until(() -> true);
                    faulty.heal();
                    return attempt.step("charge", Codec.text(), this::charge);
                });

        assertThat(effects).hasValue(0);
        assertThat(execution).isInstanceOf(Execution.LeaseLost.class);
    }

    @Test
    void aNestedCallThatWouldRunUnprotectedDoesNotStartUnderALostLease() {
        ExternalPolicy policy = Policy.external("charge").lease(SHORT).build();
        ExternalPolicy open =
                Policy.external("child").whenStoreIsDown(WhenStoreIsDown.OPEN).build();
        Semel semel = impatient();
        faulty.every(StoreCall.RENEW, Fault.FAILS_BEFORE);

        assertThatThrownBy(() -> semel.operation(policy, OutcomeCodec.text()).run(KEY, BODY, attempt -> {
                    await().pollDelay(SHORT.multipliedBy(2)).until(() -> true);
                    faulty.every(StoreCall.CLAIM, Fault.FAILS_BEFORE);
                    Key key = Key.of("merchant", attempt.childKey("charge"));
                    return semel.operation(open, OutcomeCodec.text())
                            .run(key, BODY, inner -> charge())
                            .get();
                }))
                .isInstanceOf(StoreUnavailableException.class);

        assertThat(effects).hasValue(0);
    }

    @Test
    void anAttemptKnowsWhenItsLeaseIsLostBeforeItNamesADownstreamCall() {
        ExternalPolicy policy = Policy.external("charge").lease(SHORT).build();

        Execution<String> execution = engine().operation(policy, OutcomeCodec.text())
                .run(KEY, BODY, attempt -> {
                    operatorSaysNotExecuted(policy);
                    await().until(attempt::isLeaseLost);
                    assertThatThrownBy(() -> attempt.childKey("charge")).isInstanceOf(LeaseLostException.class);
                    return attempt.childKey("charge");
                });

        assertThat(execution).isInstanceOf(Execution.LeaseLost.class);
    }

    @Test
    void anAttemptThatIsEndingIsNotRenewed() {
        ExternalPolicy policy = Policy.external("charge").lease(SHORT).build();
        Gate settle = faulty.hold(StoreCall.SETTLE);
        CompletionStage<Execution<String>> execution = engine(faulty.store(), builder -> {})
                .operation(policy, OutcomeCodec.text())
                .runAsync(KEY, BODY, attempt -> CompletableFuture.completedStage(charge()));
        settle.awaitArrival();
        int before = faulty.count(StoreCall.RENEW);

        await().pollDelay(SHORT.multipliedBy(2)).until(() -> true);

        assertThat(faulty.count(StoreCall.RENEW)).isEqualTo(before);
        settle.release();
        assertThat(execution.toCompletableFuture().join().get()).isEqualTo("receipt 1");
    }

    /** Truthfully, because nothing has run yet. */
    private void operatorSaysNotExecuted(Policy policy) {
        clock.advance(policy.lease());
        long token = store.find(KEY.digest())
                .toCompletableFuture()
                .join()
                .orElseThrow()
                .token();
        assertThat(store.resolve(KEY.digest(), token, new Resolution.Release(), "not executed")
                        .toCompletableFuture()
                        .join())
                .isTrue();
    }

    private void runQueue(CompletionStage<?> until) {
        await().until(() -> {
            Runnable task = queue.poll();
            if (task != null) {
                task.run();
            }
            return until.toCompletableFuture().isDone();
        });
    }
}
