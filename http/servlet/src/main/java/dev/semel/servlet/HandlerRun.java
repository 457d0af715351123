package dev.semel.servlet;

import dev.semel.Attempt;
import dev.semel.OutcomeUnknownException;
import dev.semel.http.HandlerEntry;
import dev.semel.http.HandlerResponse;
import dev.semel.http.Reply;
import dev.semel.http.RequestClaim;
import dev.semel.http.problem.Answer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The run of a handler, whose end is reported to the gate once, by the first caller. */
final class HandlerRun {

    private final RequestClaim.Owned owned;
    private final HandlerEntry entry;
    private volatile @Nullable OutcomeUnknownException timeOut;

    HandlerRun(RequestClaim.Owned owned, HandlerEntry entry) {
        this.owned = owned;
        this.entry = entry;
    }

    Attempt attempt() {
        return owned.attempt();
    }

    /** The early answer to the client; {@code null} if the client waits for the handler. */
    @Nullable
    Answer early() {
        return owned.early();
    }

    HandlerEntry entry() {
        return entry;
    }

    /** An answer to the container's time-out is not the outcome, because the work may continue. */
    boolean answered(HandlerResponse response) {
        OutcomeUnknownException late = timeOut;
        return late == null ? owned.complete(entry.seen(response)) : owned.fail(late);
    }

    void threw(Throwable failure) {
        OutcomeUnknownException late = timeOut;
        owned.fail(late == null ? entry.seen(HandlerFailure.rootOf(failure)) : late);
    }

    /** The time is over. The handler may still answer, but this is not the operation's outcome. */
    void timingOut() {
        timeOut = timeOut();
    }

    /** The meaning of a container's time-out. */
    static OutcomeUnknownException timeOut() {
        return new OutcomeUnknownException("the handler did not complete its asynchronous request in time", null);
    }

    boolean isTimingOut() {
        return timeOut != null;
    }

    /** The handler has not answered to the time-out. */
    void timedOut() {
        owned.fail(Objects.requireNonNull(timeOut));
    }

    void clientLeft(Throwable cause) {
        owned.fail(new OutcomeUnknownException("the client left before a response was made", cause));
    }

    boolean isEnded() {
        return owned.isEnded();
    }

    /** The reply to the client, when the handler has ended and its outcome is stored. */
    CompletableFuture<Reply> reply() {
        return owned.reply().toCompletableFuture();
    }
}
