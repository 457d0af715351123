package dev.semel.engine;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.observe.SemelEvent;
import dev.semel.observe.SemelListener;
import dev.semel.observe.Tracing;
import dev.semel.policy.Policy;
import dev.semel.util.Failures;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes events to every listener and to the log. A listener that throws is reported, and has no other effect. */
final class Events {

    /** The log of the engine, as operators know it. */
    static final String LOGGER = "dev.semel.Semel";

    static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    private final List<SemelListener> listeners;

    Events(List<SemelListener> listeners) {
        this.listeners = new ArrayList<>(listeners);
        this.listeners.add(new LoggingListener());
    }

    /** Reports an event of a call's key, also to the call's trace. */
    void tell(SemelEvent.OfKey event, Tracing.Trace trace) {
        tell(event);
        try {
            trace.on(event);
        } catch (Throwable e) {
            LOG.warn("tracing {} failed", event, e);
        }
    }

    Tracing.Trace begin(Tracing tracing, Policy policy, Call call) {
        try {
            return tracing.begin(policy, call);
        } catch (Throwable e) {
            LOG.warn("tracing a call of {} failed", policy.operation(), e);
            return Tracing.NONE.begin(policy, call);
        }
    }

    void end(Tracing.Trace trace, @Nullable Execution<?> execution, @Nullable Throwable failure) {
        try {
            trace.ended(execution, failure == null ? null : Failures.unwrap(failure));
        } catch (Throwable e) {
            LOG.warn("tracing the end of a call failed", e);
        }
    }

    void tell(SemelEvent event) {
        for (SemelListener listener : listeners) {
            try {
                listener.on(event);
            } catch (Throwable e) {
                LOG.warn("listener {} failed on {}", listener.getClass().getName(), event, e);
            }
        }
    }
}
