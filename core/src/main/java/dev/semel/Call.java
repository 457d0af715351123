package dev.semel;

import org.jspecify.annotations.Nullable;

/**
 * One request to run an operation under a key.
 *
 * @param traceId the trace that this request belongs to, kept with the key for people
 */
public record Call<T>(
        Key key,
        Fingerprint fingerprint,
        Policy policy,
        OutcomeCodec<T> codec,
        @Nullable String traceId) {

    public static <T> Call<T> of(Key key, Fingerprint fingerprint, Policy policy, OutcomeCodec<T> codec) {
        return new Call<>(key, fingerprint, policy, codec, null);
    }

    /** A call of an operation that makes its outcome itself. */
    public static Call<Outcome> of(Key key, Fingerprint fingerprint, Policy policy) {
        return of(key, fingerprint, policy, OutcomeCodec.identity());
    }

    public Call<T> withTraceId(@Nullable String id) {
        return new Call<>(key, fingerprint, policy, codec, id);
    }
}
