package dev.semel.observe;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.policy.Policy;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Follows each call through the engine, for a tracer. Must be quick; an exception that it throws is logged and
 * otherwise ignored.
 */
@FunctionalInterface
public interface Tracing {

    /** Follows nothing. */
    Tracing NONE = (policy, call) -> NoTrace.INSTANCE;

    /** A call has arrived. Runs on its caller's thread, so that thread-bound context can be captured. */
    Trace begin(Policy policy, Call call);

    /** The trace of one call. */
    interface Trace {

        /**
         * The trace id to store with the key if this call gets it; duplicates receive it in {@link
         * SemelEvent.Replayed}. {@code null} to store the trace id of the {@link dev.semel.Call}.
         */
        @Nullable
        String id();

        /** Something happened to the key of this call. */
        void on(SemelEvent.OfKey event);

        /**
         * Starts the operation, on the thread that runs it: calls {@code start} once, and hands on what it returns or
         * throws. An asynchronous operation may go on when this has returned.
         */
        <R> R running(Callable<R> start) throws Exception;

        /** The call was answered, or failed. An outcome may still be stored after that. */
        void ended(@Nullable Execution<?> execution, @Nullable Throwable failure);
    }
}
