package dev.semel.jdbc;

import dev.semel.StoreUnavailableException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request in a {@link Lane}, and the future of its answer. */
final class Ticket<Q, R> {

    final Q request;
    final CompletableFuture<R> answer = new CompletableFuture<>();
    private final long deadline;
    private volatile @Nullable Exception lastFailure;

    /** Must be sent by itself, because a batch that it was part of was refused. Only for the lane's worker. */
    boolean alone;

    /** How often it was sent without an answer. Only for the lane's worker. */
    int rounds;

    Ticket(Q request, long deadline) {
        this.request = request;
        this.deadline = deadline;
    }

    boolean isDone() {
        return answer.isDone();
    }

    boolean isOverdue(long now) {
        return now - deadline > 0;
    }

    void failedBecause(Exception failure) {
        lastFailure = failure;
    }

    /** Tells the caller that the store is unavailable. The request may have taken effect. */
    void giveUp(String why) {
        Exception failure = lastFailure;
        answer.completeExceptionally(new StoreUnavailableException(
                failure == null ? why : why + "; the last failure was: " + failure.getMessage(), failure));
    }
}
