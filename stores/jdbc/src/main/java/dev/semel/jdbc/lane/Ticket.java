package dev.semel.jdbc.lane;

import dev.semel.spi.QueuedCall;
import dev.semel.store.StoreUnavailableException;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A request in a {@link Lane}, and the future of its answer. A caller that no longer waits takes it out of the queue. */
final class Ticket<Q, R> extends QueuedCall<R> {

    final Q request;
    private final long deadline;
    private final Queue<Ticket<Q, R>> queue;
    private volatile @Nullable Exception lastFailure;

    /** Must be sent by itself, because a batch that it was part of was refused. Only for the lane's worker. */
    boolean alone;

    /** Whether it may have been carried out without an answer. Only for the lane's worker. */
    boolean answerLost;

    private boolean sent;

    Ticket(Q request, long deadline, Queue<Ticket<Q, R>> queue) {
        this.request = request;
        this.deadline = deadline;
        this.queue = queue;
    }

    /** Whether the caller still waits; from then on the request counts as sent. Only for the lane's worker. */
    boolean begin() {
        sent = sent || send();
        return sent && !isDone();
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (!isDone()) {
            queue.remove(this);
        }
        return super.cancel(mayInterruptIfRunning);
    }

    boolean isOverdue(long now) {
        return now - deadline > 0;
    }

    void failedBecause(Exception failure) {
        lastFailure = failure;
        answerLost = true;
    }

    /** Tells the caller that the store is unavailable. The request may have taken effect if it was sent. */
    void giveUp(String why) {
        Exception failure = lastFailure;
        if (send()) {
            completeExceptionally(StoreUnavailableException.notSent(why));
        } else {
            completeExceptionally(new StoreUnavailableException(
                    failure == null ? why : why + "; the last failure was: " + failure.getMessage(), failure));
        }
    }
}
