package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An owner that stalls, loses its key to a second attempt, and wakes up. */
class ZombieTest extends EngineFixture {

    private static final ExternalPolicy POLICY =
            Policy.external("charge").recovery(Recovery.RE_EXECUTE).build();

    private final CompletableFuture<String> stall = new CompletableFuture<>();
    private final AtomicReference<Attempt> stalled = new AtomicReference<>();
    private final Semel first = engine();
    private final Semel second = engine();
    private CompletableFuture<Execution<String>> zombie;

    @BeforeEach
    void stallTheFirstAttempt() {
        zombie = first.operation(POLICY, OutcomeCodec.text())
                .runAsync(KEY, BODY, attempt -> {
                    stalled.set(attempt);
                    return stall;
                })
                .toCompletableFuture();
        Awaitility.await().until(() -> stalled.get() != null);
        clock.advance(POLICY.lease());
    }

    @Test
    void cannotOverwriteTheOutcomeOfItsSuccessor() {
        assertThat(second.operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> "second")
                        .get())
                .isEqualTo("second");

        stall.complete("first");

        assertThat(zombie.join()).isInstanceOf(Execution.LeaseLost.class);
        assertThat(first.operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("second");
        assertThat(events(SemelEvent.FencedOff.class))
                .singleElement()
                .satisfies(fenced -> assertThat(fenced.write()).isEqualTo("settle"));
        assertThat(stalled.get().isLeaseLost()).isTrue();
    }

    @Test
    void cannotFailTheKeyOfItsSuccessor() {
        second.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> "second");

        stall.completeExceptionally(new IllegalStateException("socket closed"));

        assertThat(zombie.join()).isInstanceOf(Execution.LeaseLost.class);
        assertThat(first.operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("second");
    }

    @Test
    void cannotReleaseTheKeyOfItsSuccessor() {
        second.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> "second");

        stall.completeExceptionally(new dev.semel.NotExecutedException("refused", null));

        assertThat(zombie).isCompletedExceptionally();
        assertThat(first.operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("second");
    }

    @Test
    void cannotRecordAStepAndIsStopped() {
        CompletableFuture<String> inSecond = new CompletableFuture<>();
        CompletableFuture<Execution<String>> successor = second.operation(POLICY, OutcomeCodec.text())
                .runAsync(KEY, BODY, attempt -> inSecond)
                .toCompletableFuture();
        Awaitility.await().until(() -> !events(SemelEvent.TakenOver.class).isEmpty());

        stalled.get()
                .stepAsync("charge", Codec.text(), () -> CompletableFuture.completedStage("charged twice"))
                .whenComplete((charged, failure) -> stall.completeExceptionally(failure));

        assertThat(zombie.join()).isInstanceOf(Execution.LeaseLost.class);
        assertThat(stalled.get().isLeaseLost()).isTrue();
        inSecond.complete("second");
        assertThat(successor.join().get()).isEqualTo("second");
    }

    @Test
    void stillSettlesIfItsKeyWasNotTakenOver() {
        stall.complete("first");

        assertThat(zombie.join()).isInstanceOf(Execution.Executed.class);
        assertThat(second.operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("first");
        assertThat(effects).hasValue(0);
    }
}
