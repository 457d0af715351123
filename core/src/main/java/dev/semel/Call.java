package dev.semel;

import org.jspecify.annotations.Nullable;

/**
 * One request to run an operation under a key.
 *
 * @param traceId the trace that this request belongs to, kept with the key for people
 * @param onWait is told, on any thread, when the call begins to wait for the outcome of another; must be quick
 */
public record Call<T>(
        Key key,
        Fingerprint fingerprint,
        Policy policy,
        OutcomeCodec<T> codec,
        @Nullable String traceId,
        Runnable onWait) {

    public static <T> Call<T> of(Key key, Fingerprint fingerprint, Policy policy, OutcomeCodec<T> codec) {
        return new Call<>(key, fingerprint, policy, codec, null, () -> {});
    }

    /** A call of an operation that makes its outcome itself. */
    public static Call<Outcome> of(Key key, Fingerprint fingerprint, Policy policy) {
        return of(key, fingerprint, policy, OutcomeCodec.identity());
    }

    public Call<T> withTraceId(@Nullable String id) {
        return new Call<>(key, fingerprint, policy, codec, id, onWait);
    }

    /** For callers that hold a thread: they can let go of it while the call waits. */
    public Call<T> withOnWait(Runnable callback) {
        return new Call<>(key, fingerprint, policy, codec, traceId, callback);
    }
}
