package dev.semel.engine;

import dev.semel.LeaseLostException;
import dev.semel.lease.AttemptSupport;
import dev.semel.lease.RunningAttempt;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.Policy;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.StepRecording;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.util.Text;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The support of an attempt whose claim is durable: its steps are recorded, its lease can be renewed. */
record EngineSupport(Engine engine, Policy policy) implements AttemptSupport {

    @Override
    public void requireSteps() {
        recording();
    }

    private StepRecording recording() {
        return KeyStore.capability(engine.store.keyStore(), StepRecording.class)
                .orElseThrow(() -> new IllegalStateException("the store "
                        + engine.store.keyStore().getClass().getName() + " cannot record steps; use one that can"));
    }

    @Override
    public CompletionStage<?> record(Lease lease, String name, byte[] result) {
        if (result.length > policy.maxPayload()) {
            throw new PayloadTooLargeException("step " + Text.quote(name) + " ran, but its result of " + result.length
                    + " bytes is over the largest kept payload of " + policy.maxPayload());
        }
        return engine.store.recordStep(recording(), lease, name, result).thenAccept(recorded -> {
            if (!recorded) {
                engine.tell(new SemelEvent.FencedOff(
                        SemelEvent.Subject.of(policy.operation(), lease.digest())
                                .attempt(lease.attempt(), lease.token()),
                        "step"));
                throw new LeaseLostException(lease.digest(), lease.token());
            }
        });
    }

    @Override
    public CompletionStage<?> renew(RunningAttempt attempt) {
        return engine.attempts.keeper.confirm(attempt, policy.lease());
    }

    @Override
    public void named(String child, RunningAttempt parent) {
        engine.attempts.parents.put(child, parent);
    }

    @Override
    public Executor executor() {
        return engine.executor;
    }
}
