package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Key;
import dev.semel.NoValueException;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.Policy;
import dev.semel.Recovery;
import dev.semel.Retention;
import dev.semel.Semel;
import dev.semel.SemelClosedException;
import dev.semel.SemelEvent;
import dev.semel.TransactionRunner;
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

/** What becomes of an operation that returns, throws, or is refused. */
class RunTest extends EngineFixture {

    private static final Policy POLICY = Policy.external("charge").build();

    @Test
    void anOutcomeThatIsKeptBrieflyRunsAgainSooner() {
        Policy policy = POLICY.toBuilder()
                .keepBriefly(outcome -> OutcomeCodec.text().decode(outcome).equals("receipt 1"), Duration.ofMinutes(5))
                .build();
        Semel semel = engine();

        semel.execute(call(policy), attempt -> charge());
        clock.advance(Duration.ofMinutes(4));
        assertThat(semel.execute(call(policy), attempt -> charge()).get()).isEqualTo("receipt 1");
        clock.advance(Duration.ofMinutes(2));
        assertThat(semel.execute(call(policy), attempt -> charge()).get()).isEqualTo("receipt 2");
        clock.advance(Duration.ofMinutes(6));
        assertThat(semel.execute(call(policy), attempt -> charge()).get()).isEqualTo("receipt 2");
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
        Call<String> call = Call.of(KEY, BODY, POLICY, broken);

        assertThat(semel.execute(call, attempt -> charge()).get()).isEqualTo("receipt 1");
        assertThat(semel.execute(call, attempt -> charge())).isInstanceOf(Execution.Replayed.class);
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
        Call<String> call = Call.of(KEY, BODY, POLICY, broken);

        assertThatThrownBy(() -> semel.execute(call, attempt -> {
                    throw new IllegalStateException(charge());
                }))
                .hasMessage("receipt 1");
        Execution<String> retry = semel.execute(call, attempt -> charge());
        assertThatThrownBy(retry::get).hasMessage("receipt 1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void predicatesOfThePolicyThatFailDoNotLoseTheOutcome() {
        Policy broken = POLICY.toBuilder()
                .refused(outcome -> {
                    throw new IllegalStateException("predicate");
                })
                .build();
        Semel semel = engine();

        semel.execute(call(broken), attempt -> charge());

        assertThat(semel.execute(call(broken), attempt -> charge()).get()).isEqualTo("receipt 1");
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
        Call<String> call = Call.of(KEY, BODY, POLICY, deep);

        assertThat(semel.execute(call, attempt -> charge()).get()).isEqualTo("receipt 1");

        assertThat(semel.activity().running()).isZero();
        assertThat(semel.execute(call, attempt -> charge())).isInstanceOf(Execution.Replayed.class);
    }

    @Test
    void anOperationThatReturnsNoOutcomeDoesNotKeepTheKeyInFlight() {
        Semel semel = engine();
        Call<Outcome> call = Call.of(KEY, BODY, POLICY);

        semel.execute(call, attempt -> {
            charge();
            return null;
        });

        assertThat(semel.activity().running()).isZero();
        assertThat(semel.execute(call, attempt -> Outcome.failed().build()))
                .isInstanceOfSatisfying(
                        Execution.Replayed.class,
                        replayed -> assertThat(replayed.outcome())
                                .isEqualTo(Outcome.succeeded()
                                        .payload((byte[]) null)
                                        .build()));
    }

    @Test
    void aPredicateThatFailsWithAnErrorDoesNotKeepTheKeyInFlight() {
        Policy broken = POLICY.toBuilder()
                .notExecuted(failure -> {
                    throw new NoClassDefFoundError("dev/semel/Missing");
                })
                .build();
        Semel semel = engine();

        assertThatThrownBy(() -> semel.execute(call(broken), attempt -> {
                    throw new IllegalStateException(charge());
                }))
                .hasMessage("receipt 1");

        assertThat(semel.activity().running()).isZero();
        assertThat(semel.execute(call(broken), attempt -> charge())).isInstanceOf(Execution.Replayed.class);
    }

    @Test
    void aFailureThatCannotTellItsMessageDoesNotKeepTheKeyInFlight() {
        Semel semel = engine();

        assertThatThrownBy(() -> semel.execute(call(POLICY), attempt -> {
                    charge();
                    throw new Speechless();
                }))
                .isNotNull();

        assertThat(semel.activity().running()).isZero();
        assertThat(semel.execute(call(POLICY), attempt -> charge())).isInstanceOf(Execution.Replayed.class);
        assertThat(state()).isEqualTo(KeyState.FAILED);
    }

    @Test
    void aLateFailureThatCannotTellItsMessageDoesNotKeepTheKeyInFlight() {
        Semel semel = engine();
        CompletableFuture<String> running = new CompletableFuture<>();
        CompletableFuture<Execution<String>> execution =
                semel.executeAsync(call(POLICY), attempt -> running).toCompletableFuture();
        Awaitility.await().until(() -> running.getNumberOfDependents() > 0);

        running.completeExceptionally(new Speechless());

        assertThatThrownBy(() -> execution.get(30, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        assertThat(semel.activity().running()).isZero();
        assertThat(semel.execute(call(POLICY), attempt -> charge())).isInstanceOf(Execution.Replayed.class);
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
        Policy policy =
                POLICY.toBuilder().refused(outcome -> outcome.status() == 429).build();
        Semel semel = engine();
        Call<Outcome> call = Call.of(KEY, BODY, policy);

        Execution<Outcome> first =
                semel.execute(call, attempt -> Outcome.failed().status(429).build());

        assertThat(first)
                .isInstanceOfSatisfying(
                        Execution.Executed.class,
                        executed -> assertThat(executed.settled()).isFalse());
        assertThat(isAbsent()).isTrue();
        assertThat(semel.execute(
                                call, attempt -> Outcome.succeeded().status(201).build())
                        .get()
                        .status())
                .isEqualTo(201);
        assertThat(events(SemelEvent.Released.class)).hasSize(1);
    }

    @Test
    void exceptionsThatThePolicyDeclaresReleaseTheKey() {
        Policy policy = POLICY.toBuilder()
                .notExecuted(failure -> failure instanceof java.net.ConnectException)
                .build();
        Semel semel = engine();

        assertThatThrownBy(() -> semel.execute(call(policy), attempt -> {
                    throw new java.net.ConnectException("refused");
                }))
                .isInstanceOf(java.net.ConnectException.class);

        assertThat(semel.execute(call(policy), attempt -> charge()).get()).isEqualTo("receipt 1");
    }

    @Test
    void anErrorIsKeptLikeAnyFailure() {
        Semel semel = engine();
        assertThatThrownBy(() -> semel.execute(call(POLICY), attempt -> {
                    effects.incrementAndGet();
                    throw new StackOverflowError("in the handler");
                }))
                .isInstanceOf(StackOverflowError.class);

        assertThat(semel.execute(call(POLICY), attempt -> charge())).isInstanceOf(Execution.Replayed.class);
        assertThat(state()).isEqualTo(KeyState.FAILED);
        assertThat(effects).hasValue(1);
    }

    @Test
    void anEmptyPayloadIsAResultLikeAnyOther() {
        Semel semel = engine();
        semel.execute(call(POLICY), attempt -> {
            effects.incrementAndGet();
            return "";
        });

        assertThat(semel.execute(call(POLICY), attempt -> charge()).get()).isEmpty();
        assertThat(effects).hasValue(1);
    }

    @Test
    void aPayloadOverTheLimitReachesTheFirstCallerWhole() {
        Policy policy = POLICY.toBuilder().maxPayload(3).build();
        Semel semel = engine();

        assertThat(semel.execute(call(policy), attempt -> charge()).get()).isEqualTo("receipt 1");

        Execution<String> retry = semel.execute(call(policy), attempt -> charge());
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

        String outer = semel.execute(
                        call(POLICY),
                        attempt -> "outer of "
                                + semel.execute(Call.of(inner, BODY, POLICY, OutcomeCodec.text()), nested -> charge())
                                        .get())
                .get();

        assertThat(outer).isEqualTo("outer of receipt 1");
        assertThat(semel.execute(call(POLICY), attempt -> charge()).get()).isEqualTo("outer of receipt 1");
        assertThat(semel.execute(Call.of(inner, BODY, POLICY, OutcomeCodec.text()), attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
    }

    @Test
    void anExecutorThatIsFullMeansNotExecuted() {
        Executor full = task -> {
            throw new RejectedExecutionException("queue full");
        };
        Semel semel = engine();

        CompletableFuture<Execution<String>> refused = semel.executeAsync(
                        call(POLICY), full, attempt -> CompletableFuture.completedStage(charge()))
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

        CompletableFuture<Execution<String>> refused = semel.executeAsync(
                        call(POLICY), failing, attempt -> CompletableFuture.completedStage(charge()))
                .toCompletableFuture();
        queue.forEach(Runnable::run);

        assertThat(refused).isCompletedExceptionally();
        assertThat(isAbsent()).isTrue();
        assertThat(semel.activity().running()).isZero();
        assertThat(effects).hasValue(0);
    }

    @Test
    void aListenerThatFailsWithAnErrorChangesNothing() {
        Policy policy = POLICY.toBuilder().recovery(Recovery.RE_EXECUTE).build();
        claimAndDie(policy);
        Semel semel = engine(
                store,
                builder -> builder.listener(event -> {
                    if (event instanceof SemelEvent.TakenOver) {
                        throw new NoClassDefFoundError("dev/semel/Missing");
                    }
                }));

        assertThat(semel.execute(call(policy), attempt -> charge()).get()).isEqualTo("receipt 1");
        assertThat(semel.activity().running()).isZero();
    }

    @Test
    void closingWaitsForRunningOperationsAndTakesNoNewOnes() {
        Semel semel = engine(store, builder -> builder.shutdownGrace(Duration.ofMinutes(1)));
        CompletableFuture<String> running = new CompletableFuture<>();
        CompletableFuture<Execution<String>> execution =
                semel.executeAsync(call(POLICY), attempt -> running).toCompletableFuture();
        Awaitility.await().until(() -> !isAbsent());

        CompletableFuture<Void> closing = CompletableFuture.runAsync(semel::close);
        running.complete("receipt");
        closing.join();

        assertThat(execution.join().get()).isEqualTo("receipt");
        assertThat(state()).isEqualTo(KeyState.SUCCEEDED);
        assertThatThrownBy(() -> semel.execute(call(POLICY), attempt -> charge()))
                .isInstanceOf(SemelClosedException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void closingGivesUpAfterTheGrace() {
        Semel semel = engine(store, builder -> builder.shutdownGrace(Duration.ofMillis(10)));
        semel.executeAsync(call(POLICY), attempt -> new CompletableFuture<>());

        semel.close();

        assertThat(state()).isEqualTo(KeyState.PENDING);
    }

    @Test
    void aValueThatIsNotThereIsAskedForInVain() {
        claimAndDie(POLICY);
        Execution<String> unknown = engine().execute(call(POLICY), attempt -> charge());

        assertThatThrownBy(unknown::get)
                .isInstanceOfSatisfying(
                        NoValueException.class, e -> assertThat(e.execution()).isSameAs(unknown));
    }

    @Test
    void modesAndStoresThatDoNotFitAreRefusedWithTheReason() {
        Semel semel = engine();
        Policy transactional = Policy.transactional("order").build();
        TransactionRunner<Connection> none = new TransactionRunner<>() {
            @Override
            public <R> R inTransaction(Work<Connection, R> work) {
                throw new AssertionError("not reached");
            }
        };

        assertThatThrownBy(() -> semel.execute(call(transactional), attempt -> charge()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"order\" has mode TRANSACTIONAL, which execute cannot run");
        assertThatThrownBy(() -> semel.executeIn(none, call(POLICY), (attempt, connection) -> charge()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("EXTERNAL");
        assertThatThrownBy(() -> semel.executeIn(none, call(transactional), (attempt, connection) -> charge()))
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

        assertThat(semel.execute(call(POLICY), attempt -> charge()).get()).isEqualTo("receipt 1");
    }

    @Test
    void anInterruptedCallerKeepsItsInterruptAndItsResult() {
        Semel semel = engine();
        Thread.currentThread().interrupt();

        String receipt = semel.execute(call(POLICY), attempt -> charge()).get();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(receipt).isEqualTo("receipt 1");
    }
}
