package dev.semel;

import java.util.concurrent.CompletionStage;

/**
 * The result of {@link ExternalOperation#claim}: the key, if this call is to run the operation ({@link Owned}); how the call
 * ended, if there is nothing to run ({@link Execution}); or that it may wait for the outcome of another call
 * ({@link Waiting}).
 *
 * <p>For adapters that own their thread, such as a servlet filter. All other callers pass the work to
 * {@link ExternalOperation#run} or {@link ExternalOperation#runAsync}.
 */
public sealed interface KeyClaim<T> permits KeyClaim.Owned, KeyClaim.Waiting, Execution {

    /**
     * This call owns the key; its lease was alive when the store answered. The heartbeat keeps that lease until the
     * call ends, so every owner must end it, with {@link #complete} or {@link #fail}. The first end counts: a later one
     * changes nothing.
     */
    non-sealed interface Owned<T> extends KeyClaim<T> {

        Attempt attempt();

        /**
         * Ends the call with the value that the work returned: its outcome is stored, or its key is released if the
         * policy says that the operation refused.
         *
         * @return {@code false} if the call had ended before
         */
        boolean complete(T value);

        /**
         * Ends the call with this failure, as if the work had thrown it: the failure is stored, or the key is released,
         * abandoned or left to lapse.
         *
         * @return {@code false} if the call had ended before
         */
        boolean fail(Throwable failure);

        /** Completes when the call has ended, with its execution or with the failure that ended it. */
        CompletionStage<Execution<T>> execution();
    }

    /** Another call runs the operation, and this one may wait for its outcome. Call one of the two methods, once. */
    non-sealed interface Waiting<T> extends KeyClaim<T> {

        /** Waits on the calling thread. Never returns {@link Waiting}. */
        KeyClaim<T> await();

        /**
         * Waits without a thread, for a caller that can no longer run the operation: it does not take over a lapsed
         * key. If it gets the key because the owner has released it, it must end the call with {@link Owned#fail}.
         * Never
         * answers {@link Waiting}.
         */
        CompletionStage<KeyClaim<T>> awaitAnswer();
    }
}
