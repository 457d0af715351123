package dev.semel.http;

import dev.semel.NotExecutedException;
import org.jspecify.annotations.Nullable;

/**
 * Records how far one request has come on its way to the application's handler, as the framework reports it. A request
 * that is answered before its handler is entered was not executed, whatever the status; afterwards no status proves
 * that.
 */
public final class HandlerEntry {

    private enum State {
        OUTSIDE,
        ASSUMED,
        WATCHED,
        ENTERED
    }

    private State state;
    private @Nullable Throwable failure;
    private boolean goesOn;
    private boolean streams;

    private HandlerEntry(State state) {
        this.state = state;
    }

    /** For a framework that reports when the handler of this request is entered. */
    public static HandlerEntry reported() {
        return new HandlerEntry(State.OUTSIDE);
    }

    /** For a framework that reports nothing: the handler counts as entered from the beginning. */
    public static HandlerEntry unreported() {
        return new HandlerEntry(State.ENTERED);
    }

    /**
     * The request has passed everything in front of the handler. The handler counts as entered unless it is watched.
     */
    public synchronized void assume() {
        if (state == State.OUTSIDE) {
            state = State.ASSUMED;
        }
    }

    /** Announces that the handler itself will call {@link #enter}; {@code false} if it counts as entered already. */
    public synchronized boolean watch() {
        if (state == State.ENTERED) {
            return false;
        }
        state = State.WATCHED;
        return true;
    }

    public synchronized void enter() {
        state = State.ENTERED;
    }

    /** The handler ended with this exception, however the framework handles it. */
    public synchronized void fail(Throwable cause) {
        failure = cause;
    }

    /** The handler is asynchronous and no time-out stops it, so it is worth waiting for its result. */
    public synchronized void goOn() {
        goesOn = true;
    }

    public synchronized boolean goesOn() {
        return goesOn;
    }

    /** The handler streams its answer and may never end: it has as much time as a lease lasts. */
    public synchronized void stream() {
        streams = true;
    }

    public synchronized boolean streams() {
        return streams;
    }

    public synchronized boolean isEntered() {
        return state == State.ASSUMED || state == State.ENTERED;
    }

    /** The exception that was reported with {@link #fail}, or else the given one. */
    public synchronized @Nullable Throwable failureOr(@Nullable Throwable other) {
        return failure == null ? other : failure;
    }

    /** The response as the gate must see it. */
    public HandlerResponse seen(HandlerResponse response) {
        return isEntered() ? response : response.notEntered();
    }

    /** An exception without a response, as the gate must see it. */
    public Throwable seen(Throwable thrown) {
        return isEntered() ? thrown : new NotExecutedException("it was refused before its handler was entered", thrown);
    }
}
