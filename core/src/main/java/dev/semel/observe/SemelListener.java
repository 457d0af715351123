package dev.semel.observe;

/** Receives all events for metrics, traces and logs. Must be quick, and must not throw. */
@FunctionalInterface
public interface SemelListener {

    void on(SemelEvent event);
}
