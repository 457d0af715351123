package dev.semel;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells every listener; one that throws is reported and changes nothing. */
final class Events {

    private static final Logger log = LoggerFactory.getLogger(Semel.class);

    private final List<SemelListener> listeners;

    Events(List<SemelListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    /** Tells of a call's key, also to whoever follows that call. */
    void tell(SemelEvent.OfKey event, Tracing.Trace trace) {
        tell(event);
        try {
            trace.on(event);
        } catch (Throwable e) {
            log.warn("tracing {} failed", event, e);
        }
    }

    Tracing.Trace begin(Tracing tracing, Call<?> call) {
        try {
            return tracing.begin(call);
        } catch (Throwable e) {
            log.warn("tracing a call of {} failed", call.policy().operation(), e);
            return NoTrace.INSTANCE;
        }
    }

    void end(Tracing.Trace trace, @Nullable Execution<?> execution, @Nullable Throwable failure) {
        try {
            trace.ended(execution, failure == null ? null : Failures.unwrap(failure));
        } catch (Throwable e) {
            log.warn("tracing the end of a call failed", e);
        }
    }

    void tell(SemelEvent event) {
        for (SemelListener listener : listeners) {
            try {
                listener.on(event);
            } catch (Throwable e) {
                log.warn("listener {} failed on {}", listener.getClass().getName(), event, e);
            }
        }
    }
}
