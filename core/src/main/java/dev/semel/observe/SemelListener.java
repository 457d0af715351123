package dev.semel.observe;

/** Is told of everything that metrics, traces and logs are made of. Must be quick, and must not throw. */
@FunctionalInterface
public interface SemelListener {

    void on(SemelEvent event);
}
