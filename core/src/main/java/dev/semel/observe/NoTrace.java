package dev.semel.observe;

import dev.semel.Execution;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The trace of a call without tracing. */
enum NoTrace implements Tracing.Trace {
    INSTANCE;

    @Override
    public @Nullable String id() {
        return null;
    }

    @Override
    public void on(SemelEvent.OfKey event) {}

    @Override
    public <R> R running(Callable<R> start) throws Exception {
        return start.call();
    }

    @Override
    public void ended(@Nullable Execution<?> execution, @Nullable Throwable failure) {}
}
