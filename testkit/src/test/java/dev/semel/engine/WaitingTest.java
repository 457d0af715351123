package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Execution;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.Duplicates;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.spi.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The answer to a duplicate while the first request is in flight. */
class WaitingTest extends EngineFixture {

    private static final ExternalPolicy WAITING = Policy.external("charge")
            .duplicates(Duplicates.waitFor(Duration.ofSeconds(30)))
            .build();

    private final CompletableFuture<String> processor = new CompletableFuture<>();

    private CompletionStage<Execution<String>> startSlowly(Semel semel, ExternalPolicy policy) {
        CompletionStage<Execution<String>> first = semel.operation(policy, OutcomeCodec.text())
                .runAsync(KEY, BODY, attempt -> {
                    effects.incrementAndGet();
                    return processor;
                });
        Awaitility.await().until(() -> effects.get() == 1);
        return first;
    }

    private CompletableFuture<Execution<String>> duplicate(Semel semel, ExternalPolicy policy) {
        return semel.operation(policy, OutcomeCodec.text())
                .runAsync(KEY, BODY, attempt -> CompletableFuture.completedStage(charge()))
                .toCompletableFuture();
    }

    @Test
    void rejectTellsItAtOnce() {
        Semel semel = engine();
        ExternalPolicy policy = Policy.external("charge").build();
        startSlowly(semel, policy);

        assertThat(duplicate(semel, policy).join())
                .isInstanceOfSatisfying(
                        Execution.InFlight.class,
                        inFlight -> assertThat(inFlight.leaseLeft()).isEqualTo(policy.lease()));
        processor.complete("receipt");
        assertThat(effects).hasValue(1);
    }

    @Test
    void aWaitingDuplicateGetsTheOutcome() {
        Semel semel = engine();
        CompletionStage<Execution<String>> first = startSlowly(semel, WAITING);
        List<CompletableFuture<Execution<String>>> duplicates = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            duplicates.add(duplicate(semel, WAITING));
        }

        processor.complete("receipt");

        assertThat(first.toCompletableFuture().join().get()).isEqualTo("receipt");
        assertThat(duplicates).allSatisfy(duplicate -> {
            assertThat(duplicate.join()).isInstanceOf(Execution.Replayed.class);
            assertThat(duplicate.join().get()).isEqualTo("receipt");
        });
        assertThat(effects).hasValue(1);
    }

    @Test
    void aDuplicateOnAnotherNodeGetsTheOutcomeToo() {
        CompletionStage<Execution<String>> first = startSlowly(engine(), WAITING);
        CompletableFuture<Execution<String>> duplicate = duplicate(engine(), WAITING);

        processor.complete("receipt");

        assertThat(duplicate.join().get()).isEqualTo("receipt");
        assertThat(first.toCompletableFuture().join()).isInstanceOf(Execution.Executed.class);
        assertThat(effects).hasValue(1);
    }

    @Test
    void aDuplicateThatGivesUpDoesNotDisturbTheOwner() {
        Semel semel = engine();
        CompletionStage<Execution<String>> first = startSlowly(semel, WAITING);
        ExternalPolicy impatient = WAITING.toBuilder()
                .duplicates(Duplicates.waitFor(Duration.ofMillis(5)))
                .build();

        assertThat(duplicate(semel, impatient).join()).isInstanceOf(Execution.InFlight.class);
        assertThat(events(SemelEvent.WaitTimedOut.class)).hasSize(1);

        processor.complete("receipt");
        assertThat(first.toCompletableFuture().join().get()).isEqualTo("receipt");
        assertThat(duplicate(semel, impatient).join().get()).isEqualTo("receipt");
        assertThat(effects).hasValue(1);
    }

    @Test
    void noMoreDuplicatesWaitThanAllowed() {
        Semel semel = engine(store, builder -> builder.maxWaiting(1));
        startSlowly(semel, WAITING);
        CompletableFuture<Execution<String>> waiting = duplicate(semel, WAITING);

        assertThat(duplicate(semel, WAITING).join()).isInstanceOf(Execution.InFlight.class);
        assertThat(waiting).isNotDone();

        processor.complete("receipt");
        assertThat(waiting.join().get()).isEqualTo("receipt");
    }

    @Test
    void aWaitingDuplicateRunsTheOperationIfTheOwnerReleases() {
        Lease elsewhere = claimElsewhere(WAITING);
        CompletableFuture<Execution<String>> duplicate = duplicate(engine(), WAITING);

        store.release(elsewhere).toCompletableFuture().join();

        assertThat(duplicate.join()).isInstanceOf(Execution.Executed.class);
        assertThat(effects).hasValue(1);
    }

    @Test
    void aWaitingDuplicateTakesOverWhenTheOwnerDiesAndItMay() {
        ExternalPolicy reExecuting =
                WAITING.toBuilder().recovery(Recovery.RE_EXECUTE).build();
        claimElsewhere(reExecuting);
        CompletableFuture<Execution<String>> duplicate = duplicate(engine(), reExecuting);

        clock.advance(reExecuting.lease());

        assertThat(duplicate.join())
                .isInstanceOfSatisfying(
                        Execution.Executed.class,
                        executed -> assertThat(executed.attempt()).isEqualTo(2));
    }

    @Test
    void aWaitingDuplicateOfAHeldKeyGetsUnknown() {
        claimElsewhere(WAITING);
        CompletableFuture<Execution<String>> duplicate = duplicate(engine(), WAITING);

        clock.advance(WAITING.lease());

        assertThat(duplicate.join()).isInstanceOf(Execution.Unknown.class);
        assertThat(effects).hasValue(0);
    }

    @Test
    void anotherRequestUnderTheSameKeyNeverWaits() {
        Semel semel = engine();
        startSlowly(semel, WAITING);

        Execution<Outcome> other = semel.operation(WAITING)
                .runAsync(
                        KEY,
                        dev.semel.Fingerprint.of("other body"),
                        attempt -> CompletableFuture.completedStage(
                                Outcome.succeeded().build()))
                .toCompletableFuture()
                .join();

        assertThat(other).isInstanceOf(Execution.Mismatched.class);
        processor.complete("receipt");
    }
}
