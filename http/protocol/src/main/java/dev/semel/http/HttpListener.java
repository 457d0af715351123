package dev.semel.http;

/** Is told of what the HTTP layer decides by itself, for metrics and logs. Must be quick, and must not throw. */
@FunctionalInterface
public interface HttpListener {

    void on(HttpEvent event);
}
