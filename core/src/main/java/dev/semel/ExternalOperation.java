package dev.semel;

import dev.semel.engine.CallRunner;
import dev.semel.engine.OutcomeEncoder;
import dev.semel.policy.ExternalPolicy;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * An operation with effects outside the store's database, bound to its policy and codec. Create it once with
 * {@link Semel#operation(ExternalPolicy, OutcomeCodec)} and run it from any thread.
 */
public final class ExternalOperation<T> {

    private final CallRunner runner;
    private final OutcomeEncoder<T> encoder;

    ExternalOperation(CallRunner runner, ExternalPolicy policy, OutcomeCodec<T> codec) {
        this.runner = runner;
        this.encoder = new OutcomeEncoder<>(policy, codec);
    }

    /** Runs the work on the calling thread under the key, or returns why not. */
    public <E extends Exception> Execution<T> run(Key key, Fingerprint fingerprint, Work<T, E> work) throws E {
        return run(Call.of(key, fingerprint), work);
    }

    /** Like {@link #run(Key, Fingerprint, Work)}, with the settings of this call. */
    public <E extends Exception> Execution<T> run(Call call, Work<T, E> work) throws E {
        return runner.run(encoder, call, work);
    }

    /**
     * Claims the key without running anything: a caller that gets the key runs the work itself, and then ends the call.
     * Returns when the store has answered. Throws the same exceptions as {@link #run} does before the work starts.
     */
    public KeyClaim<T> claim(Call call) {
        return runner.claim(encoder, call);
    }

    /** Runs the work, started on the engine's executor, under the key, or returns why not. */
    public CompletionStage<Execution<T>> runAsync(Key key, Fingerprint fingerprint, AsyncWork<T> work) {
        return runAsync(Call.of(key, fingerprint), work);
    }

    /** Like {@link #runAsync(Key, Fingerprint, AsyncWork)}, with the settings of this call. */
    public CompletionStage<Execution<T>> runAsync(Call call, AsyncWork<T> work) {
        return runner.runAsync(encoder, call, work);
    }

    /** Like {@link #runAsync(Call, AsyncWork)}; the work is started on the given executor. */
    public CompletionStage<Execution<T>> runAsync(Call call, Executor executor, AsyncWork<T> work) {
        return runner.runAsync(encoder, call, executor, work);
    }

    /** The work that must happen once. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {

        T run(Attempt attempt) throws E;
    }

    /** The work that must happen once, and completes later. */
    @FunctionalInterface
    public interface AsyncWork<T> {

        CompletionStage<T> run(Attempt attempt);
    }
}
