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

    /** What the client gets before the handler runs; {@code null} if it waits for it. */
    @Nullable
    Answer early() {
        return owned.early();
    }

    HandlerEntry entry() {
        return entry;
    }

    /** Whatever is answered to the container's time-out, the work may go on: it is not the outcome. */
    boolean answered(HandlerResponse response) {
        OutcomeUnknownException late = timeOut;
        return late == null ? owned.complete(entry.seen(response)) : owned.fail(late);
    }

    void threw(Throwable failure) {
        OutcomeUnknownException late = timeOut;
        owned.fail(late == null ? entry.seen(HandlerFailure.rootOf(failure)) : late);
    }

    /** The time is over. The handler may still answer, but not with what its operation did. */
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

    /** What the client gets, when the handler has ended and its outcome is stored. */
    CompletableFuture<Reply> reply() {
        return owned.reply().toCompletableFuture();
    }
}
