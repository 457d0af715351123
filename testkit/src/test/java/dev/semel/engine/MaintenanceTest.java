package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Reconciler.Verdict;
import dev.semel.policy.Recovery;
import dev.semel.policy.Retention;
import dev.semel.sealing.LocalMasterKeys;
import dev.semel.sealing.Sealing;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.StepRecording;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.StoreCall;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The engine's maintenance of keys without retries. */
class MaintenanceTest extends EngineFixture {

    private final AtomicReference<Verdict> verdict = new AtomicReference<>(new Verdict.CannotTell());

    private Semel engineFor(Policy policy) {
        return engine(
                store,
                builder -> builder.policy(policy)
                        .reconciler("charge", lapsed -> CompletableFuture.completedStage(verdict.get())));
    }

    private static ExternalPolicy policy(Recovery recovery) {
        return Policy.external("charge").recovery(recovery).build();
    }

    private static void maintain(Semel semel) {
        semel.maintain().toCompletableFuture().join();
    }

    @Test
    void holdMarksALapsedKeyUnknownOnce() {
        claimAndDie(policy(Recovery.HOLD));
        Semel semel = engineFor(policy(Recovery.HOLD));

        maintain(semel);
        maintain(semel);

        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
        assertThat(events(SemelEvent.Lapsed.class)).hasSize(1);
    }

    @Test
    void leavesALiveKeyAlone() {
        claimElsewhere(policy(Recovery.HOLD));

        maintain(engineFor(policy(Recovery.HOLD)));

        assertThat(state()).isEqualTo(KeyState.PENDING);
    }

    @Test
    void leavesToTheNextRetryWhatMayRunAgain() {
        claimAndDie(policy(Recovery.RE_EXECUTE));

        maintain(engineFor(policy(Recovery.RE_EXECUTE)));

        assertThat(state()).isEqualTo(KeyState.LAPSED);
    }

    @Test
    void leavesKeysOfOperationsItDoesNotKnowAlone() {
        claimAndDie(Policy.external("of another service").build());

        maintain(engineFor(policy(Recovery.HOLD)));

        assertThat(state()).isEqualTo(KeyState.LAPSED);
    }

    /** More keys than a round looks at, which stay as they are, are before one that is to be resolved. */
    @Test
    void goesOnWhereTheRoundBeforeStopped() {
        Policy hold = policy(Recovery.HOLD);
        IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> Key.of("merchant", "before-" + i))
                .filter(key -> key.digest().compareTo(KEY.digest()) < 0)
                .limit(5_000)
                .forEach(key -> store.claim(ClaimRequest.builder(key, "of another service", BODY)
                        .lease(hold.lease())
                        .takeOver(true)
                        .build()));
        claimAndDie(hold);
        Semel semel = engineFor(hold);

        maintain(semel);
        assertThat(state()).isEqualTo(KeyState.LAPSED);

        maintain(semel);
        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    void startsAgainAtTheFirstKeyAfterTheLast() {
        Policy hold = policy(Recovery.HOLD);
        Semel semel = engineFor(hold);
        maintain(semel);
        claimAndDie(hold);

        maintain(semel);

        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    void aKeyWhoseStepsCannotBeOpenedIsNotInTheWayOfOthers() {
        Policy hold = policy(Recovery.HOLD);
        Lease lease = claimElsewhere(hold);
        Key second = claimAnother(hold);
        StepRecording sealed = (StepRecording) sealed("2026");
        sealed.recordStep(lease, "charge", Codec.text().encode("charged before"))
                .toCompletableFuture()
                .join();
        clock.advance(hold.lease());

        maintain(engine(sealed("2027"), builder -> builder.policy(hold)));

        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
        assertThat(state(second)).isEqualTo(KeyState.UNKNOWN);
    }

    private KeyStore sealed(String masterKey) {
        byte[] key = Arrays.copyOf(masterKey.getBytes(StandardCharsets.UTF_8), 32);
        return Sealing.encrypting(LocalMasterKeys.of(Map.of(masterKey, key))).around(store);
    }

    @Test
    void aKeyThatCannotBeResolvedIsReportedAndNotInTheWayOfOthers() {
        Policy hold = policy(Recovery.HOLD);
        claimElsewhere(hold);
        Key second = claimAnother(hold);
        clock.advance(hold.lease());
        FaultyStore faulty = FaultyStore.around(store);
        faulty.next(StoreCall.RESOLVE, Fault.FAILS_BEFORE);

        maintain(engine(faulty.store(), builder -> builder.policy(hold)));

        assertThat(List.of(state(), state(second))).containsExactlyInAnyOrder(KeyState.LAPSED, KeyState.UNKNOWN);
        assertThat(events(SemelEvent.MaintenanceFailed.class)).hasSize(1);
    }

    private Key claimAnother(Policy policy) {
        Key key = Key.of("merchant", "order-2");
        store.claim(ClaimRequest.builder(key, policy.operation(), BODY.forOperation(policy.identity()))
                .lease(policy.lease())
                .takeOver(true)
                .build());
        return key;
    }

    private KeyState state(Key key) {
        return store.find(key.digest())
                .toCompletableFuture()
                .join()
                .orElseThrow()
                .state();
    }

    @Test
    void failSettlesALapsedKeyAndFencesItsOwner() {
        Lease dead = claimAndDie(policy(Recovery.FAIL));

        maintain(engineFor(policy(Recovery.FAIL)));

        assertThat(state()).isEqualTo(KeyState.FAILED);
        assertThat(store.settle(dead, Outcome.succeeded().build(), Retention.of(Duration.ofHours(1)))
                        .toCompletableFuture()
                        .join())
                .isFalse();
    }

    @Test
    void reconcilesALapsedKeyToItsOutcome() {
        claimAndDie(policy(Recovery.RECONCILE));
        verdict.set(new Verdict.Done(Outcome.succeeded().payload("found").build()));
        Semel semel = engineFor(policy(Recovery.RECONCILE));

        maintain(semel);

        assertThat(semel.operation(policy(Recovery.RECONCILE), OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("found");
    }

    @Test
    void freesALapsedKeyThatWasNotExecuted() {
        claimAndDie(policy(Recovery.RECONCILE));
        verdict.set(new Verdict.NotExecuted());

        maintain(engineFor(policy(Recovery.RECONCILE)));

        assertThat(isAbsent()).isTrue();
    }

    @Test
    void asksAgainAboutAnUnknownKeyAndResolvesItWhenTheAnswerIsThere() {
        claimAndDie(policy(Recovery.RECONCILE));
        Semel semel = engineFor(policy(Recovery.RECONCILE));
        maintain(semel);
        assertThat(state()).isEqualTo(KeyState.UNKNOWN);

        verdict.set(new Verdict.Done(Outcome.succeeded().payload("found later").build()));
        maintain(semel);

        assertThat(semel.operation(policy(Recovery.RECONCILE), OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("found later");
    }

    @Test
    void releasesAnUnknownKeyThatTurnsOutNotExecuted() {
        claimAndDie(policy(Recovery.RECONCILE));
        Semel semel = engineFor(policy(Recovery.RECONCILE));
        maintain(semel);
        verdict.set(new Verdict.NotExecuted());

        maintain(semel);

        assertThat(isAbsent()).isTrue();
    }

    /** A retry goes on behind the step; a key that was freed would have forgotten it. */
    @Test
    void doesNotForgetTheStepsOfALapsedKeyThatWasNotExecuted() throws Exception {
        ExternalPolicy policy = policy(Recovery.RECONCILE);
        dieAfterAStep(policy);
        verdict.set(new Verdict.NotExecuted());
        Semel semel = engineFor(policy);

        maintain(semel);
        maintain(semel);

        assertThat(semel.operation(policy, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> attempt.step("charge", Codec.text(), this::charge))
                        .get())
                .isEqualTo("charged before");
        assertThat(effects).hasValue(0);
        assertThat(attemptsTakenOver()).isOne();
    }

    @Test
    void doesNotForgetTheStepsOfAnUnknownKeyThatTurnsOutNotExecuted() {
        ExternalPolicy policy = policy(Recovery.RECONCILE);
        dieAfterAStep(policy);
        Semel semel = engineFor(policy);
        maintain(semel);
        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
        verdict.set(new Verdict.NotExecuted());

        maintain(semel);

        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    void reconcilesALapsedKeyWithStepsToItsOutcome() throws Exception {
        ExternalPolicy policy = policy(Recovery.RECONCILE);
        dieAfterAStep(policy);
        verdict.set(new Verdict.Done(Outcome.succeeded().payload("found").build()));
        Semel semel = engineFor(policy);

        maintain(semel);

        assertThat(semel.operation(policy, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("found");
        assertThat(effects).hasValue(0);
    }

    private void dieAfterAStep(Policy policy) {
        Lease lease = claimElsewhere(policy);
        store.recordStep(lease, "charge", Codec.text().encode("charged before"))
                .toCompletableFuture()
                .join();
        clock.advance(policy.lease());
    }

    private long attemptsTakenOver() {
        return store.find(KEY.digest()).toCompletableFuture().join().orElseThrow().history().stream()
                .filter(entry -> entry.event().equals("taken over"))
                .count();
    }

    @Test
    void purgesWhatHasExpiredAndNothingElse() {
        ExternalPolicy policy = Policy.external("charge").build();
        Semel semel = engineFor(policy);
        semel.operation(policy, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());
        maintain(semel);
        assertThat(isAbsent()).isFalse();

        clock.advance(policy.retention().total());
        maintain(semel);

        assertThat(isAbsent()).isTrue();
        assertThat(events(SemelEvent.Purged.class))
                .singleElement()
                .extracting(SemelEvent.Purged::removed)
                .isEqualTo(1L);
    }

    @Test
    void comesRoundByItself() {
        claimAndDie(policy(Recovery.HOLD));

        engine(store, builder -> builder.policy(policy(Recovery.HOLD)).maintenanceInterval(Duration.ofMillis(20)));

        Awaitility.await().until(() -> state() == KeyState.UNKNOWN);
    }

    @Test
    void anExpiredKeyIsRunAfreshAlsoBeforeItIsPurged() {
        ExternalPolicy policy = Policy.external("charge").build();
        Semel semel = engineFor(policy);
        semel.operation(policy, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());

        clock.advance(policy.retention().active());

        assertThat(semel.operation(policy, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 2");
    }

    @Test
    void aTombstoneIsAnsweredAsExpired() {
        ExternalPolicy policy = Policy.external("charge")
                .retention(Retention.of(Duration.ofHours(1)).withTombstone(Duration.ofDays(30)))
                .build();
        Semel semel = engineFor(policy);
        semel.operation(policy, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());

        clock.advance(Duration.ofHours(2));

        assertThat(semel.operation(policy, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(Execution.Expired.class);
        assertThat(effects).hasValue(1);
    }
}
