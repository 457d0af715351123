package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Execution;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spi.QueuedCall;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Claims whose answer does not come in time, on stores that queue or stall. */
class LostClaimTest extends EngineFixture {

    private static final ExternalPolicy POLICY = Policy.external("charge").build();
    private static final Duration PATIENCE = Duration.ofMillis(300);

    private Semel engine(Function<ClaimRequest, CompletionStage<Claim>> claims) {
        return engine(with(claims), builder -> builder.patience(PATIENCE, PATIENCE));
    }

    /** The store of this test, but for its claims. */
    private KeyStore with(Function<ClaimRequest, CompletionStage<Claim>> claims) {
        return (KeyStore) Proxy.newProxyInstance(
                KeyStore.class.getClassLoader(), store.getClass().getInterfaces(), (proxy, method, arguments) -> {
                    if (method.getName().equals("claim")) {
                        return claims.apply((ClaimRequest) arguments[0]);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void aStoreThatNeverAnswersRefusesAClaimWhenPatienceEnds() {
        long began = System.nanoTime();

        assertThatThrownBy(() -> engine(request -> new CompletableFuture<>())
                        .operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("did not answer within");

        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .as("the default time-out of a store call is 10 s, patience is " + PATIENCE)
                .isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void aClaimThatIsGivenUpIsCancelled() {
        Deque<CompletableFuture<Claim>> sent = new ArrayDeque<>();
        Semel semel = engine(request -> {
            CompletableFuture<Claim> call = new CompletableFuture<>();
            sent.add(call);
            return call;
        });

        assertThatThrownBy(() -> semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(StoreUnavailableException.class);

        assertThat(sent.getFirst()).isCancelled();
    }

    @Test
    void aClaimThatWasWithdrawnBeforeItWasSentIsNotTakenBack() {
        AtomicInteger claims = new AtomicInteger();
        Semel semel = engine(request -> {
            claims.incrementAndGet();
            return new QueuedCall<>();
        });

        assertThatThrownBy(() -> semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        failure -> assertThat(failure.isNotSent()).isTrue());

        assertThat(claims).hasValue(1);
    }

    /** As a sealed store does that has its answer and cannot open it yet. */
    @Test
    void aStoreThatKnowsMoreThanThatItWasGivenUpIsNotDown() {
        ExternalPolicy open =
                Policy.external("charge").whenStoreIsDown(WhenStoreIsDown.OPEN).build();
        Semel semel = engine(request -> new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                return completeExceptionally(new StoreException("the record cannot be opened", null));
            }
        });

        assertThatThrownBy(() -> semel.operation(open, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(StoreException.class)
                .hasMessage("the record cannot be opened");

        assertThat(effects).hasValue(0);
    }

    /** Like a database whose synchronous standby is down: the row exists, but no one can see it. */
    @Test
    void aClaimWhoseCommitStallsIsNotMistakenForAnothers() {
        Deque<Runnable> stalled = new ArrayDeque<>();
        AtomicInteger claims = new AtomicInteger();
        CompletableFuture<Void> back = new CompletableFuture<>();
        Semel semel = engine(request -> {
            if (back.isDone()) {
                return store.claim(request);
            }
            if (claims.incrementAndGet() == 1) {
                stalled.add(() -> store.claim(request).toCompletableFuture().join());
                return CompletableFuture.failedFuture(
                        new StoreUnavailableException("the connection was given up", null));
            }
            return CompletableFuture.completedFuture(new Claim.InFlight(Duration.ZERO, Duration.ZERO));
        });

        assertThatThrownBy(() -> semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(StoreUnavailableException.class);
        stalled.forEach(Runnable::run);
        back.complete(null);

        await().until(this::isAbsent);
        assertThat(semel.operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
        assertThat(state()).isEqualTo(KeyState.SUCCEEDED);
    }

    @Test
    void aKeyThatIsHeldForAMomentIsInFlightToACallThatLostNoAnswer() {
        Semel semel =
                engine(request -> CompletableFuture.completedFuture(new Claim.InFlight(Duration.ZERO, Duration.ZERO)));

        assertThat(semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(Execution.InFlight.class);
    }

    @Test
    void manyClaimsAreTakenBackTogetherOnceTheStoreIsBack() {
        assertThat(mostTakenBackAtATime(1_000, Duration.ofMillis(20))).isGreaterThan(50);
    }

    @Test
    void claimsAreTakenBackOneByOneFromABusyStore() {
        assertThat(mostTakenBackAtATime(4, Duration.ofMillis(400))).isEqualTo(1);
    }

    /** How many of the claims whose answers were lost are taken back at a time when the store needs so long for each. */
    private int mostTakenBackAtATime(int keys, Duration answerTime) {
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CompletableFuture<Void> back = new CompletableFuture<>();
        Executor slow = CompletableFuture.delayedExecutor(answerTime.toMillis(), TimeUnit.MILLISECONDS);
        Semel semel = engine(request -> {
            if (!back.isDone()) {
                store.claim(request).toCompletableFuture().join();
                return CompletableFuture.failedFuture(new StoreUnavailableException("the answer was lost", null));
            }
            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            return CompletableFuture.supplyAsync(
                            () -> store.claim(request).toCompletableFuture().join(), slow)
                    .whenComplete((claim, failure) -> underWay.decrementAndGet());
        });
        CompletableFuture<?>[] calls = new CompletableFuture<?>[keys];
        for (int i = 0; i < keys; i++) {
            calls[i] = semel.operation(POLICY, OutcomeCodec.text())
                    .runAsync(Key.of("shop", "order-" + i), BODY, attempt -> CompletableFuture.completedStage(charge()))
                    .toCompletableFuture()
                    .handle((execution, failure) -> failure);
        }
        CompletableFuture.allOf(calls).join();
        assertThat(pending()).isEqualTo(keys);

        back.complete(null);

        await().until(() -> pending() == 0);
        assertThat(effects).hasValue(0);
        return most.get();
    }

    private long pending() {
        return store.page(KeyQuery.inState(KeyState.PENDING, 1_000))
                .toCompletableFuture()
                .join()
                .records()
                .size();
    }
}
