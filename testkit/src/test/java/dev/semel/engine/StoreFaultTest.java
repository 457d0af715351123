package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Call;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.KeyClaim;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.Duplicates;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Reconciler.Verdict;
import dev.semel.policy.Recovery;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.spi.Claim;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.Gate;
import dev.semel.testkit.StoreCall;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls whose store fails before, during and after each of its writes. */
class StoreFaultTest extends EngineFixture {

    private static final ExternalPolicy POLICY = Policy.external("charge").build();

    private final FaultyStore faulty = FaultyStore.around(store);
    private final Semel semel = engine(
            faulty.store(),
            builder -> builder.storeTimeout(Duration.ofMillis(200))
                    .patience(Duration.ofSeconds(1), Duration.ofSeconds(1)));

    @ParameterizedTest
    @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "REFUSES")
    void aClaimIsSentAgainAndRunsOnce(Fault fault) {
        faulty.next(StoreCall.CLAIM, fault);

        Execution<String> execution = semel.operation(POLICY, OutcomeCodec.text())
                .run(KEY, BODY, attempt -> {
                    assertThat(attempt.number()).isEqualTo(1);
                    return charge();
                });

        assertThat(execution).isInstanceOf(Execution.Executed.class);
        assertThat(effects).hasValue(1);
        assertThat(faulty.count(StoreCall.CLAIM)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "REFUSES")
    void aSettleIsSentAgainAndIsStored(Fault fault) {
        faulty.next(StoreCall.SETTLE, fault);

        Execution<String> execution =
                semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());

        assertThat(execution)
                .isInstanceOfSatisfying(
                        Execution.Executed.class,
                        executed -> assertThat(executed.isStored()).isTrue());
        assertThat(semel.operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
        assertThat(effects).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "REFUSES")
    void aReleaseIsSentAgain(Fault fault) {
        faulty.next(StoreCall.RELEASE, fault);

        assertThatThrownBy(() -> semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> {
                    throw new NotExecutedException("no connection", null);
                }))
                .isInstanceOf(NotExecutedException.class);

        Awaitility.await().until(this::isAbsent);
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "REFUSES")
    void aStepIsSentAgainAndRecordedOnce(Fault fault) throws Exception {
        faulty.next(StoreCall.RECORD_STEP, fault);

        assertThat(semel.operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> attempt.step("charge", Codec.text(), this::charge))
                        .get())
                .isEqualTo("receipt 1");
        assertThat(effects).hasValue(1);
    }

    /** The operation ran, so its key must be settled, even if what it returned cannot be kept. */
    @Test
    void anOutcomeThatTheStoreCannotKeepIsSettledWithoutItsPayload() {
        Semel small = engine(InMemoryKeyStore.builder().clock(clock).maxBytes(3).build(), builder -> {});

        Execution<String> execution =
                small.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());

        assertThat(execution)
                .isInstanceOfSatisfying(
                        Execution.Executed.class,
                        executed -> assertThat(executed.isStored()).isTrue());
        assertThat(small.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOfSatisfying(
                        Execution.Replayed.class,
                        replayed -> assertThat(replayed.outcome().payload()).isNull());
        assertThat(effects).hasValue(1);
    }

    @Test
    void aStoreThatIsDownRefusesTheCallAndRunsNothing() {
        faulty.every(StoreCall.CLAIM, Fault.FAILS_BEFORE);

        assertThatThrownBy(() -> semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(effects).hasValue(0);
    }

    @Test
    void aClaimWhoseAnswerNeverCameIsTakenBackWhenTheStoreAnswersAgain() {
        faulty.every(StoreCall.CLAIM, Fault.FAILS_AFTER);
        assertThatThrownBy(() -> semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(state()).isEqualTo(KeyState.PENDING);

        faulty.heal();

        Awaitility.await().until(this::isAbsent);
        assertThat(semel.operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
    }

    /** A store that sends claims together need not look at each of them. */
    @Test
    void aClaimIsTakenBackAlthoughItWasAnsweredLikeADuplicateBesideIt() {
        AtomicInteger beside = new AtomicInteger();
        Semel batching = engine(
                answeringClaims(faulty.store(), () -> beside.getAndDecrement() > 0),
                builder -> builder.storeTimeout(Duration.ofMillis(200))
                        .patience(Duration.ofSeconds(1), Duration.ofSeconds(1)));
        faulty.every(StoreCall.CLAIM, Fault.FAILS_AFTER);
        assertThatThrownBy(() -> batching.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(state()).isEqualTo(KeyState.PENDING);

        beside.set(1);
        faulty.heal();

        Awaitility.await().until(this::isAbsent);
    }

    private static KeyStore answeringClaims(KeyStore store, BooleanSupplier inFlight) {
        return (KeyStore) Proxy.newProxyInstance(
                KeyStore.class.getClassLoader(),
                new Class<?>[] {KeyStore.class},
                (proxy, method, arguments) -> method.getName().equals("claim") && inFlight.getAsBoolean()
                        ? CompletableFuture.completedFuture(new Claim.InFlight(Duration.ZERO, Duration.ofMinutes(1)))
                        : method.invoke(store, arguments));
    }

    /** Leases are renewed by one schedule for the whole process, which must outlive whatever a store throws. */
    @Test
    void theHeartbeatGoesOnAfterAStoreThatThrewAnError() {
        AtomicInteger errors = new AtomicInteger(1);
        AtomicInteger renewals = new AtomicInteger();
        KeyStore failing = (KeyStore) Proxy.newProxyInstance(
                KeyStore.class.getClassLoader(), new Class<?>[] {KeyStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("renew") && errors.getAndDecrement() > 0) {
                        throw new OutOfMemoryError("for a moment");
                    }
                    if (method.getName().equals("renew")) {
                        renewals.incrementAndGet();
                    }
                    return method.invoke(store, arguments);
                });
        ExternalPolicy brief = POLICY.toBuilder().lease(Duration.ofMillis(300)).build();

        engine(failing, builder -> {}).operation(brief, OutcomeCodec.text()).run(KEY, BODY, attempt -> {
            Awaitility.await().until(() -> renewals.get() > 0);
            return charge();
        });

        assertThat(effects).hasValue(1);
    }

    @Test
    void aTakeoverWhoseAnswerNeverCameIsLeftToTheRecovery() {
        ExternalPolicy policy = POLICY.toBuilder().recovery(Recovery.RE_EXECUTE).build();
        claimAndDie(policy);
        faulty.every(StoreCall.CLAIM, Fault.FAILS_AFTER);
        assertThatThrownBy(() -> semel.operation(policy, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(StoreUnavailableException.class);
        int claims = faulty.count(StoreCall.CLAIM);
        faulty.heal();

        Awaitility.await().until(() -> faulty.count(StoreCall.CLAIM) > claims);

        assertThat(state()).isEqualTo(KeyState.PENDING);
        assertThat(faulty.count(StoreCall.RELEASE)).isZero();
    }

    @Test
    void anOperationThatMayRunUnprotectedDoesAndSaysSo() throws Exception {
        ExternalPolicy open =
                POLICY.toBuilder().whenStoreIsDown(WhenStoreIsDown.OPEN).build();
        faulty.every(StoreCall.CLAIM, Fault.FAILS_BEFORE);

        Execution<String> execution = semel.operation(open, OutcomeCodec.text()).run(KEY, BODY, attempt -> {
            assertThat(attempt.token()).isZero();
            return attempt.step("charge", Codec.text(), this::charge);
        });

        assertThat(execution).isInstanceOfSatisfying(Execution.Executed.class, executed -> {
            assertThat(executed.attempt()).isZero();
            assertThat(executed.durability()).isEqualTo(Execution.Durability.UNPROTECTED);
        });
        assertThat(events(SemelEvent.Unprotected.class)).hasSize(1);
    }

    @Test
    void nothingRunsUnprotectedThatAReconcilerHasFoundDone() {
        ExternalPolicy open = POLICY.toBuilder()
                .whenStoreIsDown(WhenStoreIsDown.OPEN)
                .recovery(Recovery.RECONCILE)
                .build();
        claimAndDie(open);
        Semel reconciling = engine(
                faulty.store(),
                builder -> builder.patience(Duration.ZERO, Duration.ofSeconds(1))
                        .reconciler("charge", lapsed -> {
                            faulty.every(StoreCall.CLAIM, Fault.FAILS_BEFORE);
                            return CompletableFuture.completedStage(
                                    new Verdict.Done(Outcome.succeeded().build()));
                        }));

        assertThatThrownBy(
                        () -> reconciling.operation(open, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(StoreUnavailableException.class);

        assertThat(state()).isEqualTo(KeyState.SUCCEEDED);
        assertThat(effects).hasValue(0);
        assertThat(events(SemelEvent.Unprotected.class)).isEmpty();
    }

    @Test
    void aDuplicateThatWaitsDoesNotRunUnprotectedBesideTheOwner() {
        ExternalPolicy open = POLICY.toBuilder()
                .whenStoreIsDown(WhenStoreIsDown.OPEN)
                .duplicates(Duplicates.waitFor(Duration.ofMinutes(1)))
                .build();
        claimElsewhere(open);
        Semel impatient = engine(faulty.store(), builder -> builder.patience(Duration.ZERO, Duration.ofSeconds(1)));
        KeyClaim<String> claim = impatient.operation(open, OutcomeCodec.text()).claim(Call.of(KEY, BODY));
        faulty.every(StoreCall.CLAIM, Fault.FAILS_BEFORE);

        assertThatThrownBy(((KeyClaim.Waiting<String>) claim)::await).isInstanceOf(StoreUnavailableException.class);

        assertThat(effects).hasValue(0);
        assertThat(events(SemelEvent.Unprotected.class)).isEmpty();
    }

    @Test
    void aCallerGetsItsResultAlthoughTheSettleIsStillBeingTried() {
        faulty.every(StoreCall.SETTLE, Fault.FAILS_BEFORE);

        Execution<String> execution =
                semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());

        assertThat(execution).isInstanceOfSatisfying(Execution.Executed.class, executed -> {
            assertThat(executed.value()).isEqualTo("receipt 1");
            assertThat(executed.durability()).isEqualTo(Execution.Durability.NOT_CONFIRMED);
        });
        assertThat(state()).isEqualTo(KeyState.PENDING);

        faulty.heal();

        Awaitility.await().until(() -> state() == KeyState.SUCCEEDED);
        assertThat(semel.operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void anOutcomeThatCanNeverBeStoredIsReportedAndTheKeyIsLeftToItsPolicy() {
        faulty.every(StoreCall.SETTLE, Fault.FAILS_BEFORE);
        semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());

        semel.close();

        Awaitility.await().until(() -> !events(SemelEvent.SettleFailed.class).isEmpty());
        clock.advance(POLICY.lease());
        assertThat(engine().operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(Execution.Unknown.class);
        assertThat(effects).hasValue(1);
    }

    @Test
    void noOutcomeIsReturnedBeforeItIsStored() {
        Gate settling = faulty.hold(StoreCall.SETTLE);
        Semel patient = engine(faulty.store(), builder -> {});
        CompletableFuture<Execution<String>> first = patient.operation(POLICY, OutcomeCodec.text())
                .runAsync(KEY, BODY, attempt -> CompletableFuture.completedStage(charge()))
                .toCompletableFuture();
        settling.awaitArrival();

        assertThat(patient.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(Execution.InFlight.class);
        assertThat(first).isNotDone();

        settling.release();
        assertThat(first.join().get()).isEqualTo("receipt 1");
        assertThat(patient.operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
    }

    @Test
    void nothingRunsBeforeItsClaimIsStored() {
        Gate claiming = faulty.hold(StoreCall.CLAIM);
        Semel patient = engine(faulty.store(), builder -> {});
        CompletableFuture<Execution<String>> first = patient.operation(POLICY, OutcomeCodec.text())
                .runAsync(KEY, BODY, attempt -> CompletableFuture.completedStage(charge()))
                .toCompletableFuture();
        claiming.awaitArrival();

        assertThat(effects).hasValue(0);
        claiming.release();
        assertThat(first.join().get()).isEqualTo("receipt 1");
    }

    @Test
    void aHeartbeatThatFailsIsRepeatedUntilItSucceeds() {
        ExternalPolicy shortLease =
                POLICY.toBuilder().lease(Duration.ofMillis(300)).build();
        faulty.next(StoreCall.RENEW, Fault.FAILS_BEFORE);
        faulty.next(StoreCall.RENEW, Fault.FAILS_BEFORE);
        CompletableFuture<String> running = new CompletableFuture<>();
        CompletableFuture<Execution<String>> execution = semel.operation(shortLease, OutcomeCodec.text())
                .runAsync(KEY, BODY, attempt -> running)
                .toCompletableFuture();

        Awaitility.await().until(() -> faulty.count(StoreCall.RENEW) >= 4);

        running.complete("receipt");
        assertThat(execution.join()).isInstanceOf(Execution.Executed.class);
        assertThat(events(SemelEvent.MaintenanceFailed.class)).hasSizeGreaterThanOrEqualTo(2);
    }
}
