package dev.semel;

import org.jspecify.annotations.Nullable;

/**
 * One request to run an operation under a key.
 *
 * @param traceId the trace that this request belongs to, kept with the key for people
 * @param onWait is told, on any thread, when the call begins to wait for the outcome of another; must be quick
 * @param runsAfterWaiting whether the operation can still be run when the call has waited; otherwise the call stops
 *     waiting before it would have to take over a lapsed key
 */
public record Call<T>(
        Key key,
        Fingerprint fingerprint,
        Policy policy,
        OutcomeCodec<T> codec,
        @Nullable String traceId,
        Runnable onWait,
        boolean runsAfterWaiting) {

    public static <T> Call<T> of(Key key, Fingerprint fingerprint, Policy policy, OutcomeCodec<T> codec) {
        return new Call<>(key, fingerprint, policy, codec, null, () -> {}, true);
    }

    /** A call of an operation that makes its outcome itself. */
    public static Call<Outcome> of(Key key, Fingerprint fingerprint, Policy policy) {
        return of(key, fingerprint, policy, OutcomeCodec.identity());
    }

    public Call<T> withTraceId(@Nullable String id) {
        return new Call<>(key, fingerprint, policy, codec, id, onWait, runsAfterWaiting);
    }

    /** For callers that hold a thread: they can let go of it while the call waits. */
    public Call<T> withOnWait(Runnable callback) {
        return new Call<>(key, fingerprint, policy, codec, traceId, callback, runsAfterWaiting);
    }

    /** For callers that cannot run the operation any more when they have let go of their thread. */
    public Call<T> withRunsAfterWaiting(boolean runs) {
        return new Call<>(key, fingerprint, policy, codec, traceId, onWait, runs);
    }
}
