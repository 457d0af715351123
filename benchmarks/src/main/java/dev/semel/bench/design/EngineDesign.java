package dev.semel.bench.design;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.Policy;
import dev.semel.Semel;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The whole of Semel: the engine on the store, with an operation that only makes its outcome. */
public final class EngineDesign implements ContendedDesign, ReplayingDesign, AsynchronousDesign {

    private static final Policy POLICY = Policy.external("charge").build();
    private static final Fingerprint FINGERPRINT = Fingerprint.of("the request");

    private final SemelDesign store;
    private final Semel semel;

    /** Takes over the store, which it closes. */
    public EngineDesign(SemelDesign store) {
        this.store = store;
        this.semel = Semel.builder(store.store())
                .executor(Runnable::run)
                .maintenanceInterval(Duration.ZERO)
                .build();
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
        return semel.executeAsync(call(key), attempt -> CompletableFuture.completedStage(SemelDesign.outcome(key)))
                .thenAccept(execution -> {
                    if (!(execution instanceof Execution.Executed<Outcome> executed) || !executed.settled()) {
                        throw new IllegalStateException("key " + key + " was not executed and settled: " + execution);
                    }
                });
    }

    @Override
    public void cycle(String key) {
        Execution<Outcome> execution = semel.execute(call(key), attempt -> SemelDesign.outcome(key));
        if (!(execution instanceof Execution.Executed<Outcome> executed) || !executed.settled()) {
            throw new IllegalStateException("key " + key + " was not executed and settled: " + execution);
        }
    }

    @Override
    public boolean claim(String key) {
        return semel.execute(call(key), attempt -> SemelDesign.outcome(key)) instanceof Execution.Executed<Outcome>;
    }

    @Override
    public CompletionStage<?> replayAsync(String key) {
        return semel.executeAsync(call(key), attempt -> CompletableFuture.completedStage(SemelDesign.outcome("again")))
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

    private static Call<Outcome> call(String key) {
        return Call.of(Key.of("customer-17", key), FINGERPRINT, POLICY);
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
