package dev.semel;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The running attempt, as the operation sees it. */
public interface Attempt {

    Key key();

    /**
     * The fencing token: it grows with every attempt of this key, so that a downstream system that remembers the largest
     * it has seen can refuse an attempt that was given up. 0 if the operation runs unprotected.
     */
    long token();

    /** The number of this attempt: 1 for the first, more if it runs again after an owner died. */
    int number();

    /** Whether the lease is known to be lost. Long operations should check this before each effect. */
    boolean isLeaseLost();

    /** The key value for a downstream call: the same in every attempt, different for every label. */
    default String childKey(String label) {
        return key().childValue(label);
    }

    /**
     * Runs a part of the operation once per key: if an earlier attempt has recorded the step, its result is returned
     * and nothing runs. Throws {@link LeaseLostException} if the result can no longer be recorded.
     */
    <R> R step(String name, Codec<R> codec, Callable<R> work) throws Exception;

    /** Like {@link #step} for work that completes later. */
    <R> CompletionStage<R> stepAsync(String name, Codec<R> codec, Supplier<CompletionStage<R>> work);
}
