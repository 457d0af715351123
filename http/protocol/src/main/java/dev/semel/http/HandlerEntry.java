package dev.semel.http;

import dev.semel.NotExecutedException;
import org.jspecify.annotations.Nullable;

/**
 * What a framework reports about one request on its way to the application's handler. A request that is answered before its
 * handler is entered was not executed, whatever the status; afterwards no status proves that.
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

    /** For a framework that reports whatever may enter the handler of this request. */
    public static HandlerEntry reported() {
        return new HandlerEntry(State.OUTSIDE);
    }

    /** For a framework that reports nothing: the handler counts as entered from the beginning. */
    public static HandlerEntry unreported() {
        return new HandlerEntry(State.ENTERED);
    }

    /** Nothing is left in front of the handler, and it counts as entered unless it is watched. */
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

    /** The handler ended with this exception, whatever is made of it. */
    public synchronized void fail(Throwable cause) {
        failure = cause;
    }

    /** No time-out stops the handler, and its result arrives when it is there: it is worth waiting for. */
    public synchronized void goOn() {
        goesOn = true;
    }

    public synchronized boolean goesOn() {
        return goesOn;
    }

    /** The handler answers piece by piece and may never end: it has as long as a lease. */
    public synchronized void stream() {
        streams = true;
    }

    public synchronized boolean streams() {
        return streams;
    }

    public synchronized boolean isEntered() {
        return state == State.ASSUMED || state == State.ENTERED;
    }

    /** What was reported with {@link #fail}, or the given exception if nothing was. */
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
