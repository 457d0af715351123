package dev.semel.http;

/** Receives the events of the HTTP layer, for metrics and logs. Must be quick, and must not throw. */
@FunctionalInterface
public interface HttpListener {

    void on(HttpEvent event);

    /** A listener that passes events to both. */
    default HttpListener and(HttpListener other) {
        return event -> {
            on(event);
            other.on(event);
        };
    }
}
