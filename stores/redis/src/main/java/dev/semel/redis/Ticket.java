package dev.semel.redis;

import dev.semel.spi.QueuedCall;

/** A call in a {@link Lane}, and the future of its answer. */
final class Ticket<C> extends QueuedCall<Reply> {

    private final C call;
    private final int bytes;
    private final long deadline;

    Ticket(C call, int bytes, long deadline) {
        this.call = call;
        this.bytes = bytes;
        this.deadline = deadline;
    }

    C call() {
        return call;
    }

    int bytes() {
        return bytes;
    }

    boolean isOverdue(long now) {
        return now - deadline > 0;
    }
}
