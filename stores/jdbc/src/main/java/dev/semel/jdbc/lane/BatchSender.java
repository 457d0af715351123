package dev.semel.jdbc.lane;

import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.SqlFailure;
import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the requests of a {@link Lane}, many in one statement, and decides how each one continues: it is answered, it is sent
 * again, or it waits aside because its key is locked. Only for the lane's worker, except for {@link #underWay} and
 * {@link #fail}.
 *
 * <p>Each batch is sorted by digest, so that batches of several nodes lock rows in the same order. A batch whose answer is lost
 * is sent again on another connection: requests carry the nonce of their attempt, and find what they did before. A batch that
 * the database refuses is sent again one by one, so that a single bad request does not fail its neighbours. A batch that meets a
 * locked row is sent again without waiting for any row, and the requests for {@link HeldKeys} wait aside.
 */
final class BatchSender<Q, R> {

    private static final Logger LOG = LoggerFactory.getLogger(BatchSender.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final int PAUSE_DOUBLINGS = 7;

    private final String name;
    private final StoreConnections connections;
    private final SqlDialect dialect;
    private final Batch<Q, R> batch;
    private final LaneLimits limits;
    private final LaneCounts counts;
    private final Comparator<Ticket<Q, R>> byDigest;

    /** To be sent again, before anything from the queue. */
    private final Deque<Ticket<Q, R>> again = new ArrayDeque<>();

    private final HeldKeys<Q, R> held = new HeldKeys<>();
    private boolean turnOfHeld;
    private int failuresInRow;
    private long failingSince;

    /** The requests that were taken from the queue and may not have been answered yet. */
    private volatile List<Ticket<Q, R>> taken = List.of();

    BatchSender(
            String name,
            StoreConnections connections,
            SqlDialect dialect,
            Batch<Q, R> batch,
            LaneLimits limits,
            LaneCounts counts) {
        this.name = name;
        this.connections = connections;
        this.dialect = dialect;
        this.batch = batch;
        this.limits = limits;
        this.counts = counts;
        this.byDigest = Comparator.comparing(ticket -> batch.digest(ticket.request));
    }

    /** The next batch: in turns of requests for held keys and of others. Empty if there is nothing to send after all. */
    List<Ticket<Q, R>> next(Queue<Ticket<Q, R>> queue) {
        turnOfHeld = !turnOfHeld && !held.isEmpty();
        return turnOfHeld ? held.due(System.nanoTime(), limits.batch()) : collect(queue);
    }

    /** After an empty {@link #next}: whether only held keys are left, none of which is due. */
    boolean isIdle() {
        return again.isEmpty() && (turnOfHeld || held.isEmpty());
    }

    /** How long until a held key is due, in nanoseconds; {@code null} if no request waits for one. */
    @Nullable
    Long untilDue(long now) {
        return held.untilDue(now);
    }

    private List<Ticket<Q, R>> collect(Queue<Ticket<Q, R>> queue) {
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
     * Sends the batch that {@link #next} returned, and sorts it. Returns an answer for each request, {@code null} for those
     * that are sent again; an empty list if the batch failed, which this class has then dealt with. The caller passes the
     * answers on, and calls {@link #delivered}.
     */
    List<@Nullable R> send(List<Ticket<Q, R>> tickets) {
        return send(tickets, turnOfHeld);
    }

    /** @param unheld whether to leave out locked keys, instead of waiting for them */
    private List<@Nullable R> send(List<Ticket<Q, R>> tickets, boolean unheld) {
        try {
            return trySend(tickets, unheld);
        } catch (SQLException e) {
            SqlFailure failure = dialect.failure(e);
            counts.failed(failure, e);
            if (failure == SqlFailure.LOCKED && !unheld) {
                return send(tickets, true);
            }
            failed(tickets, failure, e);
            publish(List.of());
        } catch (RuntimeException | Error e) {
            refuse(tickets, e);
        }
        return List.of();
    }

    private List<@Nullable R> trySend(List<Ticket<Q, R>> tickets, boolean unheld) throws SQLException {
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
        return answersTo(tickets, firsts, answers);
    }

    /** Fails all requests of a batch for a reason that sending them again does not change. */
    void refuse(List<Ticket<Q, R>> tickets, Throwable failure) {
        tickets.forEach(ticket -> held.remove(batch.digest(ticket.request)));
        fail(tickets, failure);
        publish(List.of());
    }

    /** Fails those requests that have no answer yet; for any thread. */
    void fail(List<Ticket<Q, R>> tickets, Throwable failure) {
        LOG.error("the {} lane failed", name, failure);
        tickets.forEach(ticket ->
                ticket.completeExceptionally(new StoreException("the " + name + " lane failed: " + failure, failure)));
    }

    /**
     * One answer for each ticket; {@code null} for those that have to be sent again. {@code tickets} are in the order
     * of {@code firsts}, and each belongs to the last first at or before it.
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

    /** Keeps a request for a key that is held, unless its caller has waited long enough for an answer. */
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

    private void failed(List<Ticket<Q, R>> tickets, SqlFailure failure, SQLException e) {
        if (failure == SqlFailure.LOCKED) {
            // Not even a look was possible, so nothing is known about these keys yet.
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

    /** Why a request is given up after its time. */
    String unanswered() {
        return "a " + name + " got no answer from the database within " + limits.giveUpAfter();
    }

    /** The answers of the last batch have been passed on, or another thread does that now. */
    void delivered() {
        publish(List.of());
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

    /** The requests that were taken from the queue and may not have been answered yet; for any thread. */
    List<Ticket<Q, R>> underWay() {
        return taken;
    }
}
