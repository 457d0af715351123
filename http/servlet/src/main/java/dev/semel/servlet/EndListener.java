package dev.semel.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Tells an exchange that the container is done with its request. */
record EndListener(ServletExchange exchange) implements AsyncListener {

    @Override
    public void onComplete(AsyncEvent event) {
        exchange.requestEnded();
    }

    /** Is followed by {@link #onComplete}, when an error that was raised on purpose has been rendered. */
    @Override
    public void onError(AsyncEvent event) {}

    /** Sets no time limit: the exchange limits its own waits. */
    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
