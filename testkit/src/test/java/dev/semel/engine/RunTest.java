package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Key;
import dev.semel.NoValueException;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.SemelClosedException;
import dev.semel.TransactionRunner;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.policy.Retention;
import dev.semel.policy.TransactionalPolicy;
import dev.semel.spi.KeyState;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The outcome of an operation that returns, throws, or is refused. */
class RunTest extends EngineFixture {

    private static final ExternalPolicy POLICY = Policy.external("charge").build();

    @Test
    void anOutcomeThatIsKeptBrieflyRunsAgainSooner() {
        ExternalPolicy policy = POLICY.toBuilder()
                .keepBriefly(outcome -> OutcomeCodec.text().decode(outcome).equals("receipt 1"), Duration.ofMinutes(5))
                .build();
        Semel semel = engine();

        semel.operation(policy, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());
        clock.advance(Duration.ofMinutes(4));
        assertThat(semel.operation(policy, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
        clock.advance(Duration.ofMinutes(2));
        assertThat(semel.operation(policy, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 2");
        clock.advance(Duration.ofMinutes(6));
        assertThat(semel.operation(policy, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 2");
        assertThat(events(SemelEvent.Settled.class))
                .extracting(SemelEvent.Settled::retention)
                .containsExactly(Retention.of(Duration.ofMinutes(5)), POLICY.retention());
    }

    @Test
    void aResultThatCannotBeEncodedIsNotRunAgain() {
        OutcomeCodec<String> broken = new OutcomeCodec<>() {
            @Override
            public Outcome encode(String value) {
                throw new IllegalStateException("no serializer");
            }

            @Override
            public String decode(Outcome outcome) {
                return new String(outcome.requirePayload(), java.nio.charset.StandardCharsets.UTF_8);
            }
        };
        Semel semel = engine();
        Call call = Call.of(KEY, BODY);

        assertThat(semel.operation(POLICY, broken)
                        .run(call, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
        assertThat(semel.operation(POLICY, broken).run(call, attempt -> charge()))
                .isInstanceOf(Execution.Replayed.class);
        assertThat(effects).hasValue(1);
    }

    @Test
    void aFailureThatCannotBeEncodedIsNotRunAgain() {
        OutcomeCodec<String> broken = new OutcomeCodec<>() {
            @Override
            public Outcome encode(String value) {
                throw new AssertionError("not reached");
            }

            @Override
            public Outcome encodeFailure(Throwable failure) {
                throw new IllegalStateException("no serializer");
            }

            @Override
            public String decode(Outcome outcome) {
                return OutcomeCodec.text().decode(outcome);
            }
        };
        Semel semel = engine();
        Call call = Call.of(KEY, BODY);

        assertThatThrownBy(() -> semel.operation(POLICY, broken).run(call, attempt -> {
                    throw new IllegalStateException(charge());
                }))
                .hasMessage("receipt 1");
        Execution<String> retry = semel.operation(POLICY, broken).run(call, attempt -> charge());
        assertThatThrownBy(retry::get).hasMessage("receipt 1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void predicatesOfThePolicyThatFailDoNotLoseTheOutcome() {
        ExternalPolicy broken = POLICY.toBuilder()
                .refused(outcome -> {
                    throw new IllegalStateException("predicate");
                })
                .build();
        Semel semel = engine();

        semel.operation(broken, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());

        assertThat(semel.operation(broken, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
    }

    @Test
    void aCodecThatFailsWithAnErrorDoesNotKeepTheKeyInFlight() {
        OutcomeCodec<String> deep = new OutcomeCodec<>() {
            @Override
            public Outcome encode(String value) {
                throw new StackOverflowError();
            }

            @Override
            public String decode(Outcome outcome) {
                return OutcomeCodec.text().decode(outcome);
            }
        };
        Semel semel = engine();
        Call call = Call.of(KEY, BODY);

        assertThat(semel.operation(POLICY, deep).run(call, attempt -> charge()).get())
                .isEqualTo("receipt 1");

        assertThat(semel.activity().running()).isZero();
        assertThat(semel.operation(POLICY, deep).run(call, attempt -> charge())).isInstanceOf(Execution.Replayed.class);
    }

    @Test
    void anOperationThatReturnsNoOutcomeDoesNotKeepTheKeyInFlight() {
        Semel semel = engine();
        Call call = Call.of(KEY, BODY);

        semel.operation(POLICY).run(call, attempt -> {
            charge();
            return null;
        });

        assertThat(semel.activity().running()).isZero();
        assertThat(semel.operation(POLICY).run(call, attempt -> Outcome.failed().build()))
                .isInstanceOfSatisfying(
                        Execution.Replayed.class,
                        replayed -> assertThat(replayed.outcome())
                                .isEqualTo(Outcome.succeeded()
                                        .payload((byte[]) null)
                                        .build()));
    }

    @Test
    void aPredicateThatFailsWithAnErrorDoesNotKeepTheKeyInFlight() {
        ExternalPolicy broken = POLICY.toBuilder()
                .notExecuted(failure -> {
                    throw new NoClassDefFoundError("dev/semel/Missing");
                })
                .build();
        Semel semel = engine();

        assertThatThrownBy(() -> semel.operation(broken, OutcomeCodec.text()).run(KEY, BODY, attempt -> {
                    throw new IllegalStateException(charge());
                }))
                .hasMessage("receipt 1");

        assertThat(semel.activity().running()).isZero();
        assertThat(semel.operation(broken, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(Execution.Replayed.class);
    }

    @Test
    void aFailureThatCannotTellItsMessageDoesNotKeepTheKeyInFlight() {
        Semel semel = engine();

        assertThatThrownBy(() -> semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> {
                    charge();
                    throw new Speechless();
                }))
                .isNotNull();

        assertThat(semel.activity().running()).isZero();
        assertThat(semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(Execution.Replayed.class);
        assertThat(state()).isEqualTo(KeyState.FAILED);
    }

    @Test
    void aLateFailureThatCannotTellItsMessageDoesNotKeepTheKeyInFlight() {
        Semel semel = engine();
        CompletableFuture<String> running = new CompletableFuture<>();
        CompletableFuture<Execution<String>> execution = semel.operation(POLICY, OutcomeCodec.text())
                .runAsync(KEY, BODY, attempt -> running)
                .toCompletableFuture();
        Awaitility.await().until(() -> running.getNumberOfDependents() > 0);

        running.completeExceptionally(new Speechless());

        assertThatThrownBy(() -> execution.get(30, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        assertThat(semel.activity().running()).isZero();
        assertThat(semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(Execution.Replayed.class);
    }

    private static final class Speechless extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no words");
        }
    }

    @Test
    void aRefusedOutcomeReleasesTheKey() {
        ExternalPolicy policy =
                POLICY.toBuilder().refused(outcome -> outcome.status() == 429).build();
        Semel semel = engine();
        Call call = Call.of(KEY, BODY);

        Execution<Outcome> first = semel.operation(policy)
                .run(call, attempt -> Outcome.failed().status(429).build());

        assertThat(first)
                .isInstanceOfSatisfying(
                        Execution.Executed.class,
                        executed -> assertThat(executed.durability()).isEqualTo(Execution.Durability.NOT_EXECUTED));
        assertThat(isAbsent()).isTrue();
        assertThat(semel.operation(policy)
                        .run(call, attempt -> Outcome.succeeded().status(201).build())
                        .get()
                        .status())
                .isEqualTo(201);
        assertThat(events(SemelEvent.Released.class)).hasSize(1);
    }

    @Test
    void exceptionsThatThePolicyDeclaresReleaseTheKey() {
        ExternalPolicy policy = POLICY.toBuilder()
                .notExecuted(failure -> failure instanceof java.net.ConnectException)
                .build();
        Semel semel = engine();

        assertThatThrownBy(() -> semel.operation(policy, OutcomeCodec.text()).run(KEY, BODY, attempt -> {
                    throw new java.net.ConnectException("refused");
                }))
                .isInstanceOf(java.net.ConnectException.class);

        assertThat(semel.operation(policy, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
    }

    @Test
    void anErrorIsKeptLikeAnyFailure() {
        Semel semel = engine();
        assertThatThrownBy(() -> semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> {
                    effects.incrementAndGet();
                    throw new StackOverflowError("in the handler");
                }))
                .isInstanceOf(StackOverflowError.class);

        assertThat(semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(Execution.Replayed.class);
        assertThat(state()).isEqualTo(KeyState.FAILED);
        assertThat(effects).hasValue(1);
    }

    @Test
    void anEmptyPayloadIsAResultLikeAnyOther() {
        Semel semel = engine();
        semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> {
            effects.incrementAndGet();
            return "";
        });

        assertThat(semel.operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEmpty();
        assertThat(effects).hasValue(1);
    }

    @Test
    void aPayloadOverTheLimitReachesTheFirstCallerWhole() {
        ExternalPolicy policy = POLICY.toBuilder().maxPayload(3).build();
        Semel semel = engine();

        assertThat(semel.operation(policy, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");

        Execution<String> retry = semel.operation(policy, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());
        assertThat(retry)
                .isInstanceOfSatisfying(
                        Execution.Replayed.class,
                        replayed -> assertThat(replayed.outcome().payload()).isNull());
        assertThat(effects).hasValue(1);
    }

    @Test
    void nestedOperationsKeepTheirOwnKeys() {
        Semel semel = engine();
        Key inner = Key.of("merchant", "inner");

        String outer = semel.operation(POLICY, OutcomeCodec.text())
                .run(
                        KEY,
                        BODY,
                        attempt -> "outer of "
                                + semel.operation(POLICY, OutcomeCodec.text())
                                        .run(inner, BODY, nested -> charge())
                                        .get())
                .get();

        assertThat(outer).isEqualTo("outer of receipt 1");
        assertThat(semel.operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("outer of receipt 1");
        assertThat(semel.operation(POLICY, OutcomeCodec.text())
                        .run(inner, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
    }

    @Test
    void anExecutorThatIsFullMeansNotExecuted() {
        Executor full = task -> {
            throw new RejectedExecutionException("queue full");
        };
        Semel semel = engine();

        CompletableFuture<Execution<String>> refused = semel.operation(POLICY, OutcomeCodec.text())
                .runAsync(Call.of(KEY, BODY), full, attempt -> CompletableFuture.completedStage(charge()))
                .toCompletableFuture();

        assertThat(refused).isCompletedExceptionally();
        Awaitility.await().until(this::isAbsent);
        assertThat(effects).hasValue(0);
    }

    @Test
    void anExecutorThatFailsMeansNotExecutedAlsoIfItRunsTheTaskLater() {
        List<Runnable> queue = new ArrayList<>();
        Executor failing = task -> {
            queue.add(task);
            throw new OutOfMemoryError("unable to create native thread");
        };
        Semel semel = engine();

        CompletableFuture<Execution<String>> refused = semel.operation(POLICY, OutcomeCodec.text())
                .runAsync(Call.of(KEY, BODY), failing, attempt -> CompletableFuture.completedStage(charge()))
                .toCompletableFuture();
        queue.forEach(Runnable::run);

        assertThat(refused).isCompletedExceptionally();
        assertThat(isAbsent()).isTrue();
        assertThat(semel.activity().running()).isZero();
        assertThat(effects).hasValue(0);
    }

    @Test
    void aListenerThatFailsWithAnErrorChangesNothing() {
        ExternalPolicy policy = POLICY.toBuilder().recovery(Recovery.RE_EXECUTE).build();
        claimAndDie(policy);
        Semel semel = engine(
                store,
                builder -> builder.listener(event -> {
                    if (event instanceof SemelEvent.TakenOver) {
                        throw new NoClassDefFoundError("dev/semel/Missing");
                    }
                }));

        assertThat(semel.operation(policy, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
        assertThat(semel.activity().running()).isZero();
    }

    @Test
    void closingWaitsForRunningOperationsAndTakesNoNewOnes() {
        Semel semel = engine(store, builder -> builder.shutdownGrace(Duration.ofMinutes(1)));
        CompletableFuture<String> running = new CompletableFuture<>();
        CompletableFuture<Execution<String>> execution = semel.operation(POLICY, OutcomeCodec.text())
                .runAsync(KEY, BODY, attempt -> running)
                .toCompletableFuture();
        Awaitility.await().until(() -> !isAbsent());

        CompletableFuture<Void> closing = CompletableFuture.runAsync(semel::close);
        running.complete("receipt");
        closing.join();

        assertThat(execution.join().get()).isEqualTo("receipt");
        assertThat(state()).isEqualTo(KeyState.SUCCEEDED);
        assertThatThrownBy(() -> semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(SemelClosedException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void closingGivesUpAfterTheGrace() {
        Semel semel = engine(store, builder -> builder.shutdownGrace(Duration.ofMillis(10)));
        semel.operation(POLICY, OutcomeCodec.text()).runAsync(KEY, BODY, attempt -> new CompletableFuture<>());

        semel.close();

        assertThat(state()).isEqualTo(KeyState.PENDING);
    }

    @Test
    void aValueThatIsNotThereIsAskedForInVain() {
        claimAndDie(POLICY);
        Execution<String> unknown =
                engine().operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());

        assertThatThrownBy(unknown::get)
                .isInstanceOfSatisfying(
                        NoValueException.class, e -> assertThat(e.execution()).isSameAs(unknown));
    }

    @Test
    void aStoreThatCannotJoinATransactionIsRefusedWhenTheOperationIsBound() {
        Semel semel = engine();
        TransactionalPolicy transactional = Policy.transactional("order").build();
        TransactionRunner<Connection> none = new TransactionRunner<>() {
            @Override
            public <R> R inTransaction(Work<Connection, R> work) {
                throw new AssertionError("not reached");
            }
        };

        assertThatThrownBy(() -> semel.operation(transactional, OutcomeCodec.text(), none))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot join a transaction");
    }

    @Test
    void aListenerThatThrowsChangesNothing() {
        Semel semel = engine(
                store,
                builder -> builder.listener(event -> {
                    throw new IllegalStateException("listener");
                }));

        assertThat(semel.operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
    }

    @Test
    void anInterruptedCallerKeepsItsInterruptAndItsResult() {
        Semel semel = engine();
        Thread.currentThread().interrupt();

        String receipt = semel.operation(POLICY, OutcomeCodec.text())
                .run(KEY, BODY, attempt -> charge())
                .get();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(receipt).isEqualTo("receipt 1");
    }
}
