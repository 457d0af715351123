package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Execution;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.spi.KeyState;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims while the store is known not to answer. */
class StoreCircuitTest extends EngineFixture {

    private static final ExternalPolicy POLICY = Policy.external("charge").build();
    private static final ExternalPolicy FAIL_OPEN =
            Policy.external("mail").whenStoreIsDown(WhenStoreIsDown.OPEN).build();

    private final FaultyStore faulty = FaultyStore.around(store);
    private final Semel semel = engine(
            faulty.store(),
            builder -> builder.storeTimeout(Duration.ofSeconds(5))
                    .patience(Duration.ofMillis(300), Duration.ofMillis(300)));

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"FAILS_BEFORE", "FAILS_AFTER", "NEVER_ANSWERS"})
    void whileTheStoreDoesNotAnswerAClaimIsNotSent(Fault fault) {
        Instant before = Instant.now();
        breakEverything(fault);
        assertThatThrownBy(() -> run("first")).isInstanceOf(StoreUnavailableException.class);
        awaitDown();

        assertThatThrownBy(() -> run("second"))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        refused -> assertThat(refused.isNotSent()).isTrue())
                .hasMessageContaining("the store has not answered since ");

        assertThat(effects).hasValue(0);
        assertThat(semel.storeHealth().downSince())
                .hasValueSatisfying(since -> assertThat(since).isBetween(before.minusSeconds(1), Instant.now()));
        await().until(() -> events(SemelEvent.StoreDown.class).size() == 1);
        assertThat(events(SemelEvent.StoreUp.class)).isEmpty();
    }

    @Test
    void itClosesByItselfAndSaysForHowLongTheStoreWasDown() {
        breakEverything(Fault.FAILS_BEFORE);
        assertThatThrownBy(() -> run("first")).isInstanceOf(StoreUnavailableException.class);
        awaitDown();

        faulty.heal();

        await().until(() -> semel.storeHealth().isUp());
        assertThat(run("second")).isInstanceOf(Execution.Executed.class);
        await().until(() -> !events(SemelEvent.StoreUp.class).isEmpty());
        SemelEvent.StoreDown down = events(SemelEvent.StoreDown.class).get(0);
        SemelEvent.StoreUp up = events(SemelEvent.StoreUp.class).get(0);
        assertThat(up.downSince()).isEqualTo(down.since());
        assertThat(up.wasDown()).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        assertThat(events.indexOf(down)).isLessThan(events.indexOf(up));
    }

    /** Its claims get no answer, but a probe does: other keys are none the worse for it. */
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"FAILS_BEFORE", "NEVER_ANSWERS"})
    void oneKeyThatGetsNoAnswerDoesNotOpenIt(Fault fault) {
        faulty.every(StoreCall.CLAIM, fault);
        assertThatThrownBy(() -> run("slow")).isInstanceOf(StoreUnavailableException.class);
        await().until(() -> faulty.count(StoreCall.RENEW) > 0);
        int sent = faulty.count(StoreCall.CLAIM);

        assertThatThrownBy(() -> run("slow")).isInstanceOf(StoreUnavailableException.class);

        assertThat(faulty.count(StoreCall.CLAIM)).isGreaterThan(sent);
        assertThat(semel.storeHealth().isUp()).isTrue();
        faulty.heal();
        assertThat(run("other")).isInstanceOf(Execution.Executed.class);
        assertThat(events(SemelEvent.StoreDown.class)).isEmpty();
    }

    /** The store says no to a probe, and so it is there. */
    @Test
    void aProbeThatIsRefusedIsAnAnswer() {
        faulty.every(StoreCall.CLAIM, Fault.FAILS_BEFORE);
        faulty.every(StoreCall.RENEW, Fault.REFUSES);
        assertThatThrownBy(() -> run("first")).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> run("second")).isInstanceOf(StoreUnavailableException.class);

        faulty.heal();
        assertThat(run("third")).isInstanceOf(Execution.Executed.class);
        assertThat(events(SemelEvent.StoreDown.class)).isEmpty();
    }

    @Test
    void anOutcomeIsStoredWhenTheStoreIsBack() {
        Execution<String> execution = semel.operation(POLICY, OutcomeCodec.text())
                .run(KEY, BODY, attempt -> {
                    breakEverything(Fault.FAILS_BEFORE);
                    return charge();
                });
        assertThat(execution)
                .isInstanceOfSatisfying(
                        Execution.Executed.class,
                        executed -> assertThat(executed.isStored()).isFalse());
        awaitDown();
        int settles = faulty.count(StoreCall.SETTLE);
        await().until(() -> faulty.count(StoreCall.SETTLE) > settles);

        faulty.heal();

        await().until(() -> state() == KeyState.SUCCEEDED);
        await().until(() -> semel.storeHealth().isUp());
        assertThat(semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(Execution.Replayed.class);
        assertThat(effects).hasValue(1);
    }

    @Test
    void aPolicyThatFailsOpenRunsUnprotectedAtOnce() {
        breakEverything(Fault.FAILS_BEFORE);
        assertThatThrownBy(() -> run("first")).isInstanceOf(StoreUnavailableException.class);
        awaitDown();

        Execution<String> execution =
                semel.operation(FAIL_OPEN, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());

        assertThat(execution)
                .isInstanceOfSatisfying(
                        Execution.Executed.class,
                        executed -> assertThat(executed.isStored()).isFalse());
        assertThat(events(SemelEvent.Unprotected.class)).hasSize(1);
    }

    @Test
    void anInterruptionThatPatienceBridgesIsBridged() {
        Semel patient =
                engine(faulty.store(), builder -> builder.patience(Duration.ofSeconds(30), Duration.ofSeconds(1)));
        breakEverything(Fault.FAILS_BEFORE);
        CompletableFuture<Execution<String>> running = CompletableFuture.supplyAsync(
                () -> patient.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()));
        await().until(() -> faulty.count(StoreCall.CLAIM) > 3 && faulty.count(StoreCall.RENEW) > 6);

        faulty.heal();

        assertThat(running.join()).isInstanceOf(Execution.Executed.class);
        assertThat(events(SemelEvent.StoreDown.class)).isEmpty();
    }

    @Test
    void healthIsReportedEvenWithoutClaims() {
        assertThat(semel.storeHealth().isUp()).isTrue();

        breakEverything(Fault.NEVER_ANSWERS);

        awaitDown();
        assertThat(semel.storeHealth().cause()).isPresent();
        faulty.heal();
        await().until(() -> semel.storeHealth().isUp());
    }

    private void breakEverything(Fault fault) {
        for (StoreCall call : StoreCall.values()) {
            faulty.every(call, fault);
        }
    }

    private void awaitDown() {
        await().until(() -> !semel.storeHealth().isUp());
    }

    private Execution<String> run(String key) {
        return semel.operation(POLICY, OutcomeCodec.text()).run(Key.of("merchant", key), BODY, attempt -> charge());
    }
}
