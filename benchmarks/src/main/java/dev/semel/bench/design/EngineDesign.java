package dev.semel.bench.design;

import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The whole of Semel: the engine on the store, with an operation that only makes its outcome. */
public final class EngineDesign implements ContendedDesign, ReplayingDesign, AsynchronousDesign {

    private static final ExternalPolicy POLICY = Policy.external("charge").build();
    private static final Fingerprint FINGERPRINT = Fingerprint.of("the request");

    private final SemelDesign store;
    private final Semel semel;
    private final ExternalOperation<Outcome> charge;

    /** Takes over the store, which it closes. */
    public EngineDesign(SemelDesign store) {
        this.store = store;
        this.semel = Semel.builder(store.store())
                .executor(Runnable::run)
                .maintenanceInterval(Duration.ZERO)
                .build();
        this.charge = semel.operation(POLICY);
    }

    @Override
    public String name() {
        return "semel";
    }

    @Override
    public void clear() throws Exception {
        store.clear();
    }

    @Override
    public CompletionStage<?> cycleAsync(String key) {
        return charge.runAsync(
                        Key.of("customer-17", key),
                        FINGERPRINT,
                        attempt -> CompletableFuture.completedStage(SemelDesign.outcome(key)))
                .thenAccept(execution -> {
                    if (!(execution instanceof Execution.Executed<Outcome> executed) || !executed.isStored()) {
                        throw new IllegalStateException("key " + key + " was not executed and settled: " + execution);
                    }
                });
    }

    @Override
    public void cycle(String key) {
        Execution<Outcome> execution =
                charge.run(Key.of("customer-17", key), FINGERPRINT, attempt -> SemelDesign.outcome(key));
        if (!(execution instanceof Execution.Executed<Outcome> executed) || !executed.isStored()) {
            throw new IllegalStateException("key " + key + " was not executed and settled: " + execution);
        }
    }

    @Override
    public boolean claim(String key) {
        return charge.run(Key.of("customer-17", key), FINGERPRINT, attempt -> SemelDesign.outcome(key))
                instanceof Execution.Executed<Outcome>;
    }

    @Override
    public CompletionStage<?> replayAsync(String key) {
        return charge.runAsync(
                        Key.of("customer-17", key),
                        FINGERPRINT,
                        attempt -> CompletableFuture.completedStage(SemelDesign.outcome("again")))
                .thenAccept(execution -> {
                    if (!(execution instanceof Execution.Replayed<Outcome> replayed)
                            || !Arrays.equals(
                                    replayed.outcome().payload(),
                                    SemelDesign.outcome(key).payload())) {
                        throw new IllegalStateException("key " + key + " was not replayed: " + execution);
                    }
                });
    }

    @Override
    public void replay(String key) {
        replayAsync(key).toCompletableFuture().join();
    }

    @Override
    public void verify(long cycles) throws Exception {
        store.verify(cycles);
    }

    @Override
    public long bytes() throws Exception {
        return store.bytes();
    }

    @Override
    public void close() {
        semel.close();
        store.close();
    }
}
