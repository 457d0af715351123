package dev.semel.jdbc.lane;

import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.SqlFailure;
import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.spi.Batching.Batches;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests of one kind on their way to the database, many in one statement.
 *
 * <p>One worker at a time takes whatever has arrived while the statement before was under way, and never waits for more:
 * an idle lane sends a request immediately, and a busy one sends larger batches. Each batch is sorted by digest, so that
 * batches of several nodes lock rows in the same order. No caller's thread waits here.
 *
 * <p>A batch whose answer is lost is sent again on another connection: requests carry the nonce of their attempt, and
 * find what they have done before. A batch that is refused is sent again one by one, so that a single bad request does
 * not fail its neighbours. A batch that meets a locked row is sent again without waiting for any row;
 * requests for {@link HeldKeys} stand aside until they are answered.
 */
final class Lane<Q, R> {

    /** Whether there is nothing to do, or a worker is to come, or at it. */
    private enum State {
        IDLE,
        WAKING,
        RUNNING
    }

    /** A batch whose answers have arrived, and the thread that passes them on to the callers. */
    private static final class Delivery<Q, R> {

        final List<Ticket<Q, R>> tickets;
        final Thread thread = Thread.currentThread();
        final CompletableFuture<Void> done = new CompletableFuture<>();

        Delivery(List<Ticket<Q, R>> tickets) {
            this.tickets = tickets;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    private static final String CLOSED = "the store is closed";
    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final int PAUSE_DOUBLINGS = 7;

    private final String name;
    private final StoreConnections connections;
    private final SqlDialect dialect;
    private final Batch<Q, R> batch;
    private final LaneLimits limits;
    private final Comparator<Ticket<Q, R>> byDigest;
    private final LinkedBlockingQueue<Ticket<Q, R>> queue = new LinkedBlockingQueue<>();
    private final LaneCounts counts = new LaneCounts();
    private final Workers workers;
    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean closed;
    private volatile @Nullable Thread worker;

    /** What the worker has taken from the queue and perhaps not answered yet, for those who watch over deadlines. */
    private volatile List<Ticket<Q, R>> taken = List.of();

    /** Batches whose answers are passed on by workers that have left the lane to do so. */
    private final Set<Delivery<Q, R>> deliveries = ConcurrentHashMap.newKeySet();

    /** To be sent again, before anything from the queue. Only for the worker, like all that follows. */
    private final Deque<Ticket<Q, R>> again = new ArrayDeque<>();

    private final HeldKeys<Q, R> held = new HeldKeys<>();
    private final AtomicBoolean wakesLater = new AtomicBoolean();
    private boolean turnOfHeld;
    private int failuresInRow;
    private long failingSince;

    Lane(
            String name,
            StoreConnections connections,
            SqlDialect dialect,
            Batch<Q, R> batch,
            LaneLimits limits,
            Workers workers) {
        this.name = name;
        this.connections = connections;
        this.dialect = dialect;
        this.batch = batch;
        this.limits = limits;
        this.byDigest = Comparator.comparing(ticket -> batch.digest(ticket.request));
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

    /** {@code false} if this worker has left the lane. What is held and what is not take turns. */
    private boolean sendAll() {
        while (true) {
            turnOfHeld = !turnOfHeld && !held.isEmpty();
            List<Ticket<Q, R>> tickets = turnOfHeld ? held.due(System.nanoTime(), limits.batch()) : collect();
            if (!tickets.isEmpty()) {
                workers.handOver();
                if (!send(tickets, turnOfHeld)) {
                    return false;
                }
            } else if (again.isEmpty() && queue.isEmpty() && (turnOfHeld || held.isEmpty())) {
                return true;
            }
        }
    }

    /** Leaves the lane to the next who wakes it; {@code false} if something has come in the meantime. */
    private boolean rest() {
        boolean ending = closed;
        Long untilDue = held.untilDue(System.nanoTime());
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

    /** The next batch; empty if there is nothing to send after all. */
    private List<Ticket<Q, R>> collect() {
        List<Ticket<Q, R>> tickets = new ArrayList<>();
        long weight = 0;
        Ticket<Q, R> ticket = again.isEmpty() ? queue.poll() : again.poll();
        while (ticket != null) {
            if ((held.isEmpty() || !held.join(batch.digest(ticket.request), ticket)) && ticket.begin()) {
                tickets.add(ticket);
                weight += batch.weight(ticket.request);
            }
            Ticket<Q, R> next = again.peek();
            boolean full = tickets.size() >= limits.batch() || weight >= limits.batchBytes();
            if (full || ticket.alone || (next != null && next.alone)) {
                break;
            }
            ticket = next == null ? queue.poll() : again.poll();
        }
        return tickets;
    }

    /**
     * {@code false} if this worker has left the lane. Whatever fails, the worker goes on with what comes next.
     *
     * @param unheld whether to leave out locked keys, instead of waiting for them
     */
    private boolean send(List<Ticket<Q, R>> tickets, boolean unheld) {
        try {
            return trySend(tickets, unheld);
        } catch (SQLException e) {
            SqlFailure failure = dialect.failure(e);
            counts.failed(failure, e);
            if (failure == SqlFailure.LOCKED && !unheld) {
                return send(tickets, true);
            }
            failed(tickets, failure, e);
        } catch (RuntimeException | Error e) {
            refuse(tickets, e);
        }
        publish(List.of());
        return true;
    }

    private boolean trySend(List<Ticket<Q, R>> tickets, boolean unheld) throws SQLException {
        tickets.sort(byDigest);
        List<Ticket<Q, R>> firsts = new ArrayList<>(tickets.size());
        List<Q> requests = new ArrayList<>(tickets.size());
        for (Ticket<Q, R> ticket : tickets) {
            if (firsts.isEmpty() || byDigest.compare(firsts.get(firsts.size() - 1), ticket) != 0) {
                firsts.add(ticket);
                requests.add(ticket.request);
            }
        }
        publish(tickets);
        counts.sent(tickets.size());
        List<@Nullable R> answers = connections.run(
                connection -> unheld ? batch.sendUnheld(connection, requests) : batch.send(connection, requests));
        failuresInRow = 0;
        return deliver(tickets, answersTo(tickets, firsts, answers));
    }

    private void refuse(List<Ticket<Q, R>> tickets, Throwable failure) {
        LOG.error("the {} lane failed", name, failure);
        tickets.forEach(ticket -> {
            held.remove(batch.digest(ticket.request));
            ticket.completeExceptionally(new StoreException("the " + name + " lane failed: " + failure, failure));
        });
    }

    /**
     * One for each ticket; {@code null} for those that are to be sent again. {@code tickets} are in the order of
     * {@code firsts}, and each belongs to the last first at or before it.
     */
    private List<@Nullable R> answersTo(
            List<Ticket<Q, R>> tickets, List<Ticket<Q, R>> firsts, List<@Nullable R> answersToFirsts) {
        int index = -1;
        long now = System.nanoTime();
        List<@Nullable R> answers = new ArrayList<>(tickets.size());
        for (Ticket<Q, R> ticket : tickets) {
            boolean isFirst = index + 1 < firsts.size() && firsts.get(index + 1) == ticket;
            if (isFirst) {
                index++;
            }
            R firstAnswer = answersToFirsts.get(index);
            R answer = firstAnswer;
            if (firstAnswer == null) {
                answer = standAside(ticket, now);
            } else if (isFirst) {
                held.remove(batch.digest(ticket.request));
            } else {
                answer = batch.answerBeside(firsts.get(index).request, firstAnswer, ticket.request);
                if (answer == null) {
                    again.add(ticket);
                }
            }
            answers.add(answer);
        }
        return answers;
    }

    /** Keeps a request for a key that is held, unless there is something to tell its caller by now. */
    private @Nullable R standAside(Ticket<Q, R> ticket, long now) {
        long since = held.add(batch.digest(ticket.request), ticket, now);
        if (now - since < batch.heldPatience().toNanos()) {
            return null;
        }
        try {
            return batch.answerHeld(ticket.request, ticket.answerLost);
        } catch (StoreUnavailableException e) {
            ticket.completeExceptionally(e);
            return null;
        }
    }

    /**
     * Tells the callers. If there are several of them, and others wait for their requests to be sent, another worker sends
     * in the meantime: then this one has left the lane, and {@code false} is returned.
     */
    private boolean deliver(List<Ticket<Q, R>> tickets, List<@Nullable R> answers) {
        if (tickets.size() == 1 || queue.isEmpty()) {
            complete(tickets, answers, true);
            publish(List.of());
            return true;
        }
        Delivery<Q, R> delivery = new Delivery<>(tickets);
        deliveries.add(delivery);
        publish(List.of());
        worker = null;
        state.set(State.WAKING);
        workers.runElsewhere(this::work);
        complete(tickets, answers, false);
        deliveries.remove(delivery);
        delivery.done.complete(null);
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

    private void failed(List<Ticket<Q, R>> tickets, SqlFailure failure, SQLException e) {
        if (failure == SqlFailure.LOCKED) {
            // Not even a look was possible, so nothing can be said of these keys yet.
            LOG.debug("a batch of the {} lane ran into a lock of more than a row", name, e);
            tickets.forEach(ticket -> {
                ticket.alone = true;
                held.add(batch.digest(ticket.request), ticket, System.nanoTime());
            });
            return;
        }
        tickets.forEach(ticket -> held.remove(batch.digest(ticket.request)));
        if (failure == SqlFailure.TRANSIENT) {
            sendAgain(tickets, e);
        } else if (tickets.size() > 1) {
            LOG.debug("a batch of the {} lane is sent one by one", name, e);
            tickets.forEach(ticket -> ticket.alone = true);
            again.addAll(tickets);
        } else {
            tickets.get(0).completeExceptionally(dialect.wrap("the database refused a " + name, e));
        }
    }

    private void sendAgain(List<Ticket<Q, R>> tickets, SQLException e) {
        long now = System.nanoTime();
        if (failuresInRow++ == 0) {
            failingSince = now;
        }
        // After a long failure no call waits for the full time again: one try shows whether the database is back.
        boolean hopeless = now - failingSince > limits.giveUpAfter().toNanos();
        for (Ticket<Q, R> ticket : tickets) {
            ticket.failedBecause(e);
            if (hopeless || ticket.isOverdue(now)) {
                ticket.giveUp(unanswered());
            } else {
                again.add(ticket);
            }
        }
        LOG.debug("the {} lane failed {} times in a row", name, failuresInRow, e);
        LockSupport.parkNanos(FIRST_PAUSE.toNanos() << Math.min(failuresInRow - 1, PAUSE_DOUBLINGS));
    }

    private String unanswered() {
        return "a " + name + " got no answer from the database within " + limits.giveUpAfter();
    }

    private void publish(List<Ticket<Q, R>> tickets) {
        List<Ticket<Q, R>> all = tickets;
        if (!again.isEmpty() || !held.isEmpty()) {
            all = new ArrayList<>(tickets);
            all.addAll(again);
            all.addAll(held.tickets());
        }
        taken = all;
    }

    /** Tells the callers of overdue requests so, even when the worker hangs in a connection attempt. */
    void expire(long now) {
        if (state.get() == State.WAKING) {
            // The thread that takes over this lane may be busy with a callback, which perhaps waits for this very lane.
            workers.runElsewhere(this::work);
        }
        for (Ticket<Q, R> head = queue.peek(); head != null && head.isOverdue(now); head = queue.peek()) {
            if (queue.remove(head)) {
                head.giveUp(unanswered());
            }
        }
        underWay()
                .filter(ticket -> ticket.isOverdue(now) && !ticket.isDone())
                .forEach(late -> late.giveUp(unanswered()));
    }

    private Stream<Ticket<Q, R>> underWay() {
        return Stream.concat(taken.stream(), deliveries.stream().flatMap(delivery -> delivery.tickets.stream()));
    }

    /** Refuses new requests, and lets the worker end when it has sent the old ones. */
    void close() {
        closed = true;
        if (state.compareAndSet(State.IDLE, State.WAKING)) {
            workers.runElsewhere(this::work);
        }
    }

    /** Waits for the workers to end, and tells those who still wait after that that the store is closed. */
    void awaitClosed(Duration limit) {
        boolean interrupted = false;
        Thread caller = Thread.currentThread();
        if (caller != worker) {
            try {
                CompletableFuture<Void> delivered = ended.thenCompose(end -> CompletableFuture.allOf(deliveries.stream()
                        .filter(delivery -> delivery.thread != caller)
                        .map(delivery -> delivery.done)
                        .toArray(CompletableFuture[]::new)));
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
