package dev.semel;

import dev.semel.spi.Lease;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An attempt that this process runs: what the operation sees of it, and what the engine notes of it. */
final class RunningAttempt implements Attempt {

    /** Writes a step's result; completes with {@link LeaseLostException} if the lease is lost. */
    interface StepRecorder {

        CompletionStage<?> record(Lease lease, String name, byte[] result);
    }

    private final Key key;
    private final String operation;
    private final @Nullable Lease lease;
    private final StepRecorder recorder;
    private final Map<String, byte[]> steps;
    private final long startedAt = System.nanoTime();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean leaseLost;
    private volatile boolean ending;

    private RunningAttempt(
            Key key, String operation, @Nullable Lease lease, Map<String, byte[]> steps, StepRecorder recorder) {
        this.key = key;
        this.operation = operation;
        this.lease = lease;
        this.steps = new ConcurrentHashMap<>(steps);
        this.recorder = recorder;
    }

    static RunningAttempt of(Key key, String operation, Lease lease, Map<String, byte[]> steps, StepRecorder recorder) {
        return new RunningAttempt(key, operation, lease, steps, recorder);
    }

    /** An attempt without a lease, because the store is down and the policy allows it. */
    static RunningAttempt unprotected(Key key, String operation) {
        return new RunningAttempt(
                key, operation, null, Map.of(), (none, name, result) -> CompletableFuture.completedStage(null));
    }

    String operation() {
        return operation;
    }

    Lease lease() {
        if (lease == null) {
            throw new IllegalStateException("an unprotected attempt has no lease");
        }
        return lease;
    }

    @Override
    public Key key() {
        return key;
    }

    @Override
    public long token() {
        return lease == null ? 0 : lease.token();
    }

    @Override
    public int number() {
        return lease == null ? 0 : lease.attempt();
    }

    @Override
    public boolean isLeaseLost() {
        return leaseLost;
    }

    void markLeaseLost() {
        leaseLost = true;
    }

    /** From now on the key may be settled or gone, so a refused renewal says nothing. */
    void markEnding() {
        ending = true;
    }

    boolean isEnding() {
        return ending;
    }

    /** Whether this attempt or an earlier one has finished a step. */
    boolean hasSteps() {
        return !steps.isEmpty();
    }

    /** Completes when the engine has nothing more to do for this attempt. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    long startedAt() {
        return startedAt;
    }

    @Override
    public <R> R step(String name, Codec<R> codec, Callable<R> work) throws Exception {
        byte[] known = known(name);
        if (known != null) {
            return codec.decode(known);
        }
        R result = work.call();
        new CallerThread().await(record(name, codec.encode(result)));
        return result;
    }

    @Override
    public <R> CompletionStage<R> stepAsync(String name, Codec<R> codec, Supplier<CompletionStage<R>> work) {
        byte[] known = known(name);
        if (known != null) {
            return CompletableFuture.completedStage(codec.decode(known));
        }
        return work.get()
                .thenCompose(result -> record(name, codec.encode(result)).thenApply(recorded -> result));
    }

    private byte @Nullable [] known(String name) {
        return steps.get(Text.requireName("step name", name, Key.MAX_LENGTH));
    }

    private CompletionStage<?> record(String name, byte[] result) {
        steps.put(name, result);
        if (lease == null) {
            return CompletableFuture.completedStage(null);
        }
        return recorder.record(lease, name, result).whenComplete((recorded, failure) -> {
            if (failure != null && Failures.unwrap(failure) instanceof LeaseLostException) {
                markLeaseLost();
            }
        });
    }
}
