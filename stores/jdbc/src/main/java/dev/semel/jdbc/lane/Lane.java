package dev.semel.jdbc.lane;

import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.spi.Batching.Batches;
import dev.semel.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests of one kind on their way to the database: a queue, and one worker at a time that sends what has arrived while the
 * statement before was under way. It never waits for more: an idle lane sends a request immediately, and a busy one sends
 * larger batches. No caller's thread waits here.
 *
 * <p>The {@link BatchSender} decides what is sent together, and what happens to a request whose batch failed.
 */
final class Lane<Q, R> {

    /** There is nothing to do, a worker was asked to come, or a worker is sending. */
    private enum State {
        IDLE,
        WAKING,
        RUNNING
    }

    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    private static final String CLOSED = "the store is closed";

    private final String name;
    private final LaneLimits limits;
    private final LinkedBlockingQueue<Ticket<Q, R>> queue = new LinkedBlockingQueue<>();
    private final LaneCounts counts = new LaneCounts();
    private final BatchSender<Q, R> sender;
    private final Deliveries<Q, R> deliveries = new Deliveries<>();
    private final Workers workers;
    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
    private final AtomicBoolean wakesLater = new AtomicBoolean();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean closed;
    private volatile @Nullable Thread worker;

    Lane(
            String name,
            StoreConnections connections,
            SqlDialect dialect,
            Batch<Q, R> batch,
            LaneLimits limits,
            Workers workers) {
        this.name = name;
        this.limits = limits;
        this.sender = new BatchSender<>(name, connections, dialect, batch, limits, counts);
        this.workers = workers;
    }

    CompletableFuture<R> submit(Q request) {
        if (queue.size() >= limits.queue()) {
            return CompletableFuture.failedFuture(StoreUnavailableException.notSent(
                    "the " + name + " queue is full: " + limits.queue() + " requests wait for the database;"
                            + " send fewer at once, or raise the store's queue limit"));
        }
        Ticket<Q, R> ticket =
                new Ticket<>(request, System.nanoTime() + limits.giveUpAfter().toNanos(), queue);
        queue.add(ticket);
        if (closed && queue.remove(ticket)) {
            ticket.giveUp(CLOSED);
        } else if (state.get() == State.IDLE && state.compareAndSet(State.IDLE, State.WAKING)) {
            workers.run(this::work);
        }
        return ticket;
    }

    String name() {
        return name;
    }

    Batches batches() {
        return counts.read(queue.size());
    }

    /** Sends until there is nothing more, or until it has left the lane; nothing if another worker is at it. */
    private void work() {
        if (state.compareAndSet(State.WAKING, State.RUNNING)) {
            do {
                worker = Thread.currentThread();
                if (!sendAll()) {
                    return;
                }
                worker = null;
            } while (!rest());
        }
    }

    /** {@code false} if this worker has left the lane. */
    private boolean sendAll() {
        while (true) {
            List<Ticket<Q, R>> tickets = sender.next(queue);
            if (!tickets.isEmpty()) {
                workers.handOver();
                if (!send(tickets)) {
                    return false;
                }
            } else if (queue.isEmpty() && sender.isIdle()) {
                return true;
            }
        }
    }

    /** {@code false} if this worker has left the lane. Whatever fails, the worker goes on with what comes next. */
    private boolean send(List<Ticket<Q, R>> tickets) {
        List<@Nullable R> answers = sender.send(tickets);
        try {
            return answers.isEmpty() || deliver(tickets, answers);
        } catch (RuntimeException | Error e) {
            sender.refuse(tickets, e);
            return true;
        }
    }

    /** Leaves the lane to the next who wakes it; {@code false} if something has come in the meantime. */
    private boolean rest() {
        boolean ending = closed;
        Long untilDue = sender.untilDue(System.nanoTime());
        state.set(State.IDLE);
        if (queue.isEmpty() && closed == ending) {
            if (untilDue != null) {
                wakeLater(untilDue);
            } else if (ending) {
                ended.complete(null);
            }
            return true;
        }
        return !state.compareAndSet(State.IDLE, State.RUNNING);
    }

    private void wakeLater(long nanos) {
        if (wakesLater.compareAndSet(false, true)) {
            workers.runLater(nanos, () -> {
                wakesLater.set(false);
                if (state.compareAndSet(State.IDLE, State.WAKING)) {
                    work();
                }
            });
        }
    }

    /**
     * Answers the callers. If there are several of them, and other requests wait to be sent, another worker sends in the
     * meantime: then this one has left the lane, and {@code false} is returned.
     */
    private boolean deliver(List<Ticket<Q, R>> tickets, List<@Nullable R> answers) {
        if (tickets.size() == 1 || queue.isEmpty()) {
            complete(tickets, answers, true);
            sender.delivered();
            return true;
        }
        Runnable end = deliveries.begin(tickets);
        sender.delivered();
        worker = null;
        state.set(State.WAKING);
        workers.runElsewhere(this::work);
        try {
            complete(tickets, answers, false);
        } catch (RuntimeException | Error e) {
            sender.fail(tickets, e);
        } finally {
            end.run();
        }
        return false;
    }

    private void complete(List<Ticket<Q, R>> tickets, List<@Nullable R> answers, boolean takesNext) {
        for (int i = 0; i < tickets.size(); i++) {
            R answer = answers.get(i);
            if (answer != null) {
                workers.takesNext(takesNext && i == tickets.size() - 1);
                tickets.get(i).complete(answer);
            }
        }
        workers.takesNext(false);
    }

    /** Fails overdue requests, even when the worker hangs in a connection attempt. */
    void expire(long now) {
        if (state.get() == State.WAKING) {
            // The thread that takes over this lane may be busy with a callback, which perhaps waits for this very lane.
            workers.runElsewhere(this::work);
        }
        for (Ticket<Q, R> head = queue.peek(); head != null && head.isOverdue(now); head = queue.peek()) {
            if (queue.remove(head)) {
                head.giveUp(sender.unanswered());
            }
        }
        underWay()
                .filter(ticket -> ticket.isOverdue(now) && !ticket.isDone())
                .forEach(late -> late.giveUp(sender.unanswered()));
    }

    private Stream<Ticket<Q, R>> underWay() {
        return Stream.concat(sender.underWay().stream(), deliveries.tickets());
    }

    /** Refuses new requests, and lets the worker end when it has sent the old ones. */
    void close() {
        closed = true;
        if (state.compareAndSet(State.IDLE, State.WAKING)) {
            workers.runElsewhere(this::work);
        }
    }

    /** Waits for the workers to end, and then fails the remaining requests because the store is closed. */
    void awaitClosed(Duration limit) {
        boolean interrupted = false;
        Thread caller = Thread.currentThread();
        if (caller != worker) {
            try {
                CompletableFuture<Void> delivered = ended.thenCompose(end -> deliveries.endOfOthers(caller));
                delivered.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (TimeoutException | ExecutionException e) {
                LOG.debug("the {} lane did not end in time", name, e);
            }
        }
        for (Ticket<Q, R> ticket = queue.poll(); ticket != null; ticket = queue.poll()) {
            ticket.giveUp(CLOSED);
        }
        underWay().forEach(ticket -> ticket.giveUp(CLOSED));
        if (interrupted) {
            caller.interrupt();
        }
    }
}
