package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.KeyClaim;
import dev.semel.NotExecutedException;
import dev.semel.OperationFailedException;
import dev.semel.OutcomeCodec;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.SemelClosedException;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.Duplicates;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.Gate;
import dev.semel.testkit.StoreCall;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Claims a key and ends the call by hand, like an adapter that owns its thread. */
class KeyClaimTest extends EngineFixture {

    private static final ExternalPolicy POLICY = Policy.external("charge").build();
    private static final ExternalPolicy BRIEF = POLICY.toBuilder()
            .lease(Duration.ofMillis(200))
            .recovery(Recovery.RE_EXECUTE)
            .build();
    private static final ExternalPolicy WAITING = POLICY.toBuilder()
            .duplicates(Duplicates.waitFor(Duration.ofSeconds(30)))
            .build();

    private final FaultyStore faulty = FaultyStore.around(store);

    private ExternalOperation<String> operation(ExternalPolicy policy) {
        return engine(faulty.store(), builder -> builder.patience(Duration.ZERO, Duration.ofSeconds(5)))
                .operation(policy, OutcomeCodec.text());
    }

    private static KeyClaim<String> claim(ExternalOperation<String> operation) {
        return operation.claim(Call.of(KEY, BODY));
    }

    private static KeyClaim.Owned<String> own(ExternalOperation<String> operation) {
        return (KeyClaim.Owned<String>) claim(operation);
    }

    private static Execution<String> ended(KeyClaim.Owned<String> owned) {
        return owned.execution().toCompletableFuture().join();
    }

    @Test
    void storesTheValueThatTheOwnerCompletesWith() {
        ExternalOperation<String> charge = operation(POLICY);
        KeyClaim.Owned<String> owned = own(charge);

        assertThat(owned.attempt().number()).isEqualTo(1);
        assertThat(owned.execution().toCompletableFuture()).isNotDone();
        assertThat(owned.complete("receipt")).isTrue();

        assertThat(ended(owned))
                .isInstanceOfSatisfying(
                        Execution.Executed.class,
                        executed -> assertThat(executed.isStored()).isTrue());
        assertThat(claim(charge)).isInstanceOf(Execution.Replayed.class);
        assertThat(charge.run(KEY, BODY, attempt -> charge()).get()).isEqualTo("receipt");
    }

    @Test
    void onlyTheFirstEndCounts() {
        ExternalOperation<String> charge = operation(POLICY);
        KeyClaim.Owned<String> owned = own(charge);

        owned.complete("receipt");

        assertThat(owned.complete("another")).isFalse();
        assertThat(owned.fail(new IllegalStateException("late"))).isFalse();
        assertThat(ended(owned).get()).isEqualTo("receipt");
        assertThat(charge.run(KEY, BODY, attempt -> charge()).get()).isEqualTo("receipt");
    }

    @Test
    void storesTheFailureThatTheOwnerFailsWith() {
        ExternalOperation<String> charge = operation(POLICY);
        KeyClaim.Owned<String> owned = own(charge);
        IllegalStateException declined = new IllegalStateException("declined");

        assertThat(owned.fail(new CompletionException(declined))).isTrue();

        assertThatThrownBy(() -> ended(owned)).hasCause(declined);
        assertThat(state()).isEqualTo(KeyState.FAILED);
        assertThatThrownBy(() -> charge.run(KEY, BODY, attempt -> charge()).get())
                .isInstanceOf(OperationFailedException.class);
    }

    @Test
    void releasesTheKeyOfAnOwnerThatDidNotExecute() {
        KeyClaim.Owned<String> owned = own(operation(POLICY));

        owned.fail(new NotExecutedException("busy"));

        assertThatThrownBy(() -> ended(owned)).hasCauseInstanceOf(NotExecutedException.class);
        assertThat(isAbsent()).isTrue();
    }

    @Test
    void holdsTheKeyOfAnOwnerThatCannotTell() {
        KeyClaim.Owned<String> owned = own(operation(POLICY));

        owned.fail(new OutcomeUnknownException("no answer", null));

        assertThatThrownBy(() -> ended(owned)).hasCauseInstanceOf(OutcomeUnknownException.class);
        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    void anOwnerWhoseKeyWasTakenOverHasLostItsLease() {
        ExternalPolicy taking = POLICY.toBuilder().recovery(Recovery.RE_EXECUTE).build();
        KeyClaim.Owned<String> owned = own(operation(taking));
        clock.advance(taking.lease());
        KeyClaim.Owned<String> successor = own(operation(taking));

        owned.complete("first");
        successor.complete("second");

        assertThat(successor.attempt().number()).isEqualTo(2);
        assertThat(ended(owned)).isInstanceOf(Execution.LeaseLost.class);
        assertThat(ended(successor).get()).isEqualTo("second");
    }

    @Test
    void aDuplicateIsAnsweredOrMayWait() {
        ExternalOperation<String> waiting = operation(WAITING);
        own(waiting);

        assertThat(claim(operation(POLICY))).isInstanceOf(Execution.InFlight.class);
        assertThat(events(SemelEvent.InFlight.class)).hasSize(1);
        assertThat(claim(waiting)).isInstanceOf(KeyClaim.Waiting.class);
        assertThat(events(SemelEvent.InFlight.class)).hasSize(1);
    }

    @Test
    void aDuplicateThatWaitsOnItsThreadGetsTheOutcomeOrTheKey() {
        ExternalOperation<String> charge = operation(WAITING);
        KeyClaim.Owned<String> first = own(charge);
        KeyClaim.Waiting<String> second = (KeyClaim.Waiting<String>) claim(charge);
        CompletableFuture<KeyClaim<String>> awaited = CompletableFuture.supplyAsync(second::await);
        first.fail(new NotExecutedException("busy"));

        KeyClaim.Owned<String> next = (KeyClaim.Owned<String>) awaited.join();
        KeyClaim.Waiting<String> third = (KeyClaim.Waiting<String>) claim(charge);
        CompletableFuture<KeyClaim<String>> replayed = CompletableFuture.supplyAsync(third::await);
        next.complete("receipt");

        assertThat(((Execution<String>) replayed.join()).get()).isEqualTo("receipt");
    }

    @Test
    void aDuplicateThatWaitsWithoutAThreadGetsTheOutcome() {
        ExternalOperation<String> charge = operation(WAITING);
        KeyClaim.Owned<String> first = own(charge);
        CompletableFuture<KeyClaim<String>> answer =
                ((KeyClaim.Waiting<String>) claim(charge)).awaitAnswer().toCompletableFuture();

        assertThat(answer).isNotDone();
        first.complete("receipt");

        assertThat(((Execution<String>) answer.join()).get()).isEqualTo("receipt");
    }

    @Test
    void aDuplicateThatWaitsWithoutAThreadDoesNotTakeOverALapsedKey() {
        ExternalPolicy taking =
                WAITING.toBuilder().recovery(Recovery.RE_EXECUTE).build();
        claimElsewhere(taking);
        clock.advance(taking.lease().multipliedBy(9).dividedBy(10));
        KeyClaim.Waiting<String> waiting = (KeyClaim.Waiting<String>) claim(operation(taking));

        assertThat(waiting.awaitAnswer().toCompletableFuture())
                .isCompletedWithValueMatching(Execution.InFlight.class::isInstance);
    }

    @Test
    void aDuplicateThatWaitsWithoutAThreadGivesAReleasedKeyBack() {
        Lease elsewhere = claimElsewhere(WAITING);
        CompletableFuture<KeyClaim<String>> answer = ((KeyClaim.Waiting<String>) claim(operation(WAITING)))
                .awaitAnswer()
                .toCompletableFuture();

        store.release(elsewhere).toCompletableFuture().join();
        ((KeyClaim.Owned<String>) answer.join()).fail(new NotExecutedException("its thread is gone"));

        assertThat(isAbsent()).isTrue();
    }

    @Test
    void aStoreThatIsDownRefusesTheClaimOrLeavesItUnprotected() {
        faulty.every(StoreCall.CLAIM, Fault.FAILS_BEFORE);
        ExternalPolicy open =
                POLICY.toBuilder().whenStoreIsDown(WhenStoreIsDown.OPEN).build();

        assertThatThrownBy(() -> claim(operation(POLICY))).isInstanceOf(StoreUnavailableException.class);
        KeyClaim.Owned<String> owned = own(operation(open));
        owned.complete("receipt");

        assertThat(owned.attempt().number()).isZero();
        assertThat(ended(owned))
                .isInstanceOfSatisfying(
                        Execution.Executed.class,
                        executed -> assertThat(executed.durability()).isEqualTo(Execution.Durability.UNPROTECTED));
    }

    /** The answer to the claim takes longer than its lease, so that the store is asked again before the call owns its key. */
    private CompletableFuture<KeyClaim<String>> claimLate(Runnable meanwhile) {
        ExternalOperation<String> charge = operation(BRIEF);
        Gate answer = faulty.holdAnswer(StoreCall.CLAIM);
        long sentAt = System.nanoTime();
        CompletableFuture<KeyClaim<String>> claim = CompletableFuture.supplyAsync(() -> claim(charge));
        answer.awaitArrival();
        Awaitility.await().until(() -> System.nanoTime() - sentAt > 300_000_000L);
        meanwhile.run();
        answer.release();
        return claim;
    }

    @Test
    void ownsItsKeyOnlyUnderALeaseThatTheStoreConfirms() {
        assertThat(claimLate(() -> {}).join()).isInstanceOf(KeyClaim.Owned.class);
        assertThat(faulty.count(StoreCall.RENEW)).isPositive();
    }

    @Test
    void aLeaseThatIsLostBeforeTheCallOwnsItsKeyIsAnswered() {
        KeyClaim<String> claim = claimLate(() -> {
                    clock.advance(BRIEF.lease());
                    claimElsewhere(BRIEF);
                })
                .join();

        assertThat(claim).isInstanceOf(Execution.LeaseLost.class);
    }

    @Test
    void anUnconfirmedLeaseMeansNotExecuted() {
        CompletableFuture<KeyClaim<String>> claim = claimLate(() -> faulty.every(StoreCall.RENEW, Fault.FAILS_BEFORE));

        assertThatThrownBy(claim::join).hasCauseInstanceOf(NotExecutedException.class);
        assertThat(isAbsent()).isTrue();
    }

    @Test
    void closingWaitsForTheOwnerAndTakesNoNewClaims() {
        Semel semel = engine(store, builder -> builder.shutdownGrace(Duration.ofMinutes(1)));
        ExternalOperation<String> charge = semel.operation(POLICY, OutcomeCodec.text());
        KeyClaim.Owned<String> owned = own(charge);

        CompletableFuture<Void> closing = CompletableFuture.runAsync(semel::close);
        Awaitility.await()
                .untilAsserted(() -> assertThatThrownBy(() -> claim(charge)).isInstanceOf(SemelClosedException.class));
        assertThat(closing).isNotDone();
        owned.complete("receipt");

        closing.join();
        assertThat(state()).isEqualTo(KeyState.SUCCEEDED);
    }
}
