package dev.semel.micrometer;

import dev.semel.http.HttpEvent;
import dev.semel.http.HttpListener;
import dev.semel.http.behaviour.ClientBehaviour;

/** Counts the decisions of the HTTP layer, and the mistakes of clients. */
public final class HttpMetrics implements HttpListener {

    private final SemelMetrics metrics;

    public HttpMetrics(SemelMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void on(HttpEvent event) {
        if (event instanceof HttpEvent.Unprotected unprotected) {
            metrics.of(unprotected.operation()).withoutKey();
        } else if (event instanceof HttpEvent.Shadowed shadowed) {
            metrics.of(shadowed.operation()).shadowed(shadowed.finding().id());
        }
    }

    /** Counts a mistake of a client. Pass this method to {@link ClientBehaviour}. */
    public void count(ClientBehaviour.ObservedMistake observed) {
        OperationMeters meters = metrics.of(observed.operation());
        switch (observed.mistake()) {
            case FRESH_KEY -> meters.freshKeyRetries.increment();
            case RETRY_TOO_EARLY -> meters.retryAfterIgnored.increment();
            // The engine tells of it: it is counted as a mismatch.
            case KEY_REUSED -> {}
        }
    }
}
