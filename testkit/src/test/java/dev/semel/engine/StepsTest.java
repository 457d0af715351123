package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeCodec;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.spi.KeyState;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Steps of an operation that is run again after its owner died. */
class StepsTest extends EngineFixture {

    private static final ExternalPolicy POLICY =
            Policy.external("checkout").recovery(Recovery.RE_EXECUTE).build();

    private final AtomicInteger mails = new AtomicInteger();

    private String checkout(Attempt attempt) throws Exception {
        String receipt = attempt.step("charge", Codec.text(), this::charge);
        String mail = attempt.step("mail", Codec.text(), () -> "mail " + mails.incrementAndGet());
        return receipt + ", " + mail;
    }

    /** Runs the first step on a node that then dies: it neither settles nor renews any more. */
    private void dieAfterCharging() {
        Semel dying = engine();
        dying.operation(POLICY, OutcomeCodec.text())
                .runAsync(
                        KEY,
                        BODY,
                        attempt -> attempt.stepAsync(
                                        "charge", Codec.text(), () -> CompletableFuture.completedStage(charge()))
                                .thenCompose(charged -> new CompletableFuture<>()));
        org.awaitility.Awaitility.await()
                .until(() -> store.find(KEY.digest())
                        .toCompletableFuture()
                        .join()
                        .filter(found -> found.steps().containsKey("charge"))
                        .isPresent());
        clock.advance(POLICY.lease());
    }

    @Test
    void theSecondAttemptContinuesBehindTheLastFinishedStep() throws Exception {
        dieAfterCharging();

        Execution<String> retry =
                engine().operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, this::checkout);

        assertThat(retry.get()).isEqualTo("receipt 1, mail 1");
        assertThat(effects).hasValue(1);
        assertThat(mails).hasValue(1);
    }

    @Test
    void anAttemptThatDidNotExecuteDoesNotForgetTheStepsOfTheOneBeforeIt() throws Exception {
        dieAfterCharging();
        assertThatThrownBy(() -> engine().operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> {
                    throw new NotExecutedException("no connection", null);
                }))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(NotExecutedException.class);
        assertThat(state()).isEqualTo(KeyState.PENDING);
        clock.advance(POLICY.lease());

        assertThat(engine().operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, this::checkout)
                        .get())
                .isEqualTo("receipt 1, mail 1");
    }

    @Test
    void anAttemptThatDidNotExecuteDoesNotForgetItsOwnSteps() throws Exception {
        assertThatThrownBy(() -> engine().operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> {
                    attempt.step("charge", Codec.text(), this::charge);
                    throw new NotExecutedException("no connection to the mail server", null);
                }))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(NotExecutedException.class);
        clock.advance(POLICY.lease());

        assertThat(engine().operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, this::checkout)
                        .get())
                .isEqualTo("receipt 1, mail 1");
    }

    @Test
    void aStepOfTheSameRunIsRunOnce() throws Exception {
        Execution<String> execution = engine().operation(POLICY, OutcomeCodec.text())
                .run(KEY, BODY, attempt -> checkout(attempt) + checkout(attempt));

        assertThat(execution.get()).isEqualTo("receipt 1, mail 1receipt 1, mail 1");
    }

    @Test
    void aStepThatFailsIsNotRecorded() throws Exception {
        Execution<String> execution = engine().operation(POLICY, OutcomeCodec.text())
                .run(KEY, BODY, attempt -> {
                    assertThatThrownBy(() -> attempt.step("charge", Codec.text(), () -> {
                                throw new IllegalStateException("declined");
                            }))
                            .isInstanceOf(IllegalStateException.class);
                    return attempt.step("charge", Codec.text(), this::charge);
                });

        assertThat(execution.get()).isEqualTo("receipt 1");
    }

    @Test
    void badStepsAreRefusedWithTheReason() {
        Semel semel = engine();
        assertThatThrownBy(() -> semel.operation(POLICY, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> attempt.step("", Codec.text(), this::charge)))
                .hasMessage("step name must not be empty");
        assertThat(effects).hasValue(0);
    }

    @Test
    void childKeysAreTheSameInEveryAttempt() throws Exception {
        String child = KEY.childValue("payment");
        engine().operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> {
            assertThat(attempt.childKey("payment")).isEqualTo(child);
            return "done";
        });
    }
}
