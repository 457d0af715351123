package dev.semel.redis;

import dev.semel.StoreUnavailableException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls on their way to Redis, those that come while others are under way together. Nobody waits for others to come.
 *
 * <p>What waits here is bounded, and so is what is under way. A caller that gives up withdraws a call that was not sent.
 * When Redis does not answer, nothing but a probe is sent until it does, so that what a caller was told to have failed
 * is not carried out later: only the calls that were under way when Redis fell silent still can be.
 */
final class Lane<C> {

    /** How calls get to Redis. */
    interface Transport<C> {

        /** Sends calls together; completes with an answer to each. */
        CompletionStage<List<Reply>> send(List<C> calls);

        /** Whether there is a connection to send over. */
        boolean isConnected();

        /** Sends over another connection from now on, if this one is still silent then. */
        void replaceConnection(BooleanSupplier silent);

        /** Asks Redis for something that changes nothing, the same way. */
        CompletionStage<?> probe();
    }

    private record Flight<C>(List<Ticket<C>> tickets, long deadline) {

        List<C> calls() {
            return tickets.stream().map(Ticket::call).toList();
        }
    }

    private final String name;
    private final LaneLimits limits;
    private final Transport<C> transport;
    private final Set<Ticket<C>> waiting = new LinkedHashSet<>();
    private final List<Flight<C>> flights = new ArrayList<>();
    private long waitingBytes;
    private boolean silent;
    private long probedUntil;
    private boolean closed;

    Lane(String name, LaneLimits limits, Transport<C> transport) {
        this.name = name;
        this.limits = limits;
        this.transport = transport;
    }

    /**
     * Sends a call as soon as it is its turn.
     *
     * @param yields whether it leaves half of the room to others, as a claim does to the settles of those before it
     */
    CompletableFuture<Reply> add(C call, int bytes, boolean yields) {
        Ticket<C> ticket =
                new Ticket<>(call, bytes, System.nanoTime() + limits.timeout().toNanos());
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(StoreUnavailableException.notSent("the store is closed"));
            }
            if (isFull(bytes, yields)) {
                return CompletableFuture.failedFuture(full());
            }
            waiting.add(ticket);
            waitingBytes += bytes;
        }
        ticket.whenComplete((reply, failure) -> {
            if (failure != null) {
                forget(ticket);
            }
        });
        sendWaiting();
        return ticket;
    }

    private boolean isFull(int bytes, boolean yields) {
        int parts = yields ? 2 : 1;
        return !waiting.isEmpty()
                && (waiting.size() >= limits.waiting() / parts || waitingBytes + bytes > limits.waitingBytes() / parts);
    }

    private StoreUnavailableException full() {
        return StoreUnavailableException.notSent("the " + name + " queue is full: " + waiting.size() + " calls of "
                + waitingBytes + " bytes wait for Redis; send fewer at once, or raise the store's queue limit");
    }

    private synchronized boolean forget(Ticket<C> ticket) {
        boolean waited = waiting.remove(ticket);
        if (waited) {
            waitingBytes -= ticket.bytes();
        }
        return waited;
    }

    /** How many calls wait to be sent. */
    synchronized int waiting() {
        return waiting.size();
    }

    private void sendWaiting() {
        for (Flight<C> next = takeOff(); next != null; next = takeOff()) {
            Flight<C> flight = next;
            begin(() -> transport.send(flight.calls()))
                    .whenComplete((answers, failure) -> landed(flight, answers, failure));
        }
    }

    private synchronized @Nullable Flight<C> takeOff() {
        silent |= !waiting.isEmpty() && !transport.isConnected();
        if (silent || flights.size() >= limits.underWay()) {
            return null;
        }
        List<Ticket<C>> batch = new ArrayList<>();
        long bytes = 0;
        Iterator<Ticket<C>> queue = waiting.iterator();
        while (queue.hasNext() && batch.size() < limits.batch()) {
            Ticket<C> ticket = queue.next();
            if (!batch.isEmpty() && bytes + ticket.bytes() > limits.batchBytes()) {
                break;
            }
            queue.remove();
            waitingBytes -= ticket.bytes();
            if (ticket.send()) {
                batch.add(ticket);
                bytes += ticket.bytes();
            }
        }
        if (batch.isEmpty()) {
            return null;
        }
        Flight<C> flight =
                new Flight<>(batch, System.nanoTime() + limits.timeout().toNanos());
        flights.add(flight);
        return flight;
    }

    private static <T> CompletionStage<T> begin(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void landed(Flight<C> flight, @Nullable List<Reply> answers, @Nullable Throwable failure) {
        synchronized (this) {
            boolean expected = flights.remove(flight);
            if (expected && failure != null && Failures.isSilence(failure)) {
                silent = true;
            }
        }
        sendWaiting();
        if (answers != null) {
            deliver(flight.tickets(), answers);
        } else if (failure != null) {
            fail(flight.tickets(), failure);
        }
    }

    private static <C> void deliver(List<Ticket<C>> tickets, List<Reply> answers) {
        for (int i = 0; i < tickets.size(); i++) {
            tickets.get(i).complete(answers.get(i));
        }
    }

    /** What Redis refused as a whole may be due to one call alone: then each is tried by itself. */
    private void fail(List<Ticket<C>> tickets, Throwable failure) {
        if (tickets.size() == 1 || Failures.wrap(failure) instanceof StoreUnavailableException) {
            tickets.forEach(ticket -> ticket.completeExceptionally(failure));
            return;
        }
        for (Ticket<C> ticket : tickets) {
            List<Ticket<C>> alone = List.of(ticket);
            begin(() -> transport.send(List.of(ticket.call()))).whenComplete((answers, refusal) -> {
                if (answers != null) {
                    deliver(alone, answers);
                } else {
                    ticket.completeExceptionally(refusal);
                }
            });
        }
    }

    /** Fails the calls whose time is over, whatever has become of them, and asks a silent Redis again. */
    void tick(long now) {
        List<Ticket<C>> unsent = new ArrayList<>();
        List<Ticket<C>> unanswered = new ArrayList<>();
        boolean probe;
        synchronized (this) {
            for (Ticket<C> ticket : waiting) {
                if (!ticket.isOverdue(now)) {
                    break;
                }
                unsent.add(ticket);
            }
            for (Flight<C> flight : flights) {
                flight.tickets().stream()
                        .filter(ticket -> ticket.isOverdue(now))
                        .forEach(unanswered::add);
            }
            if (flights.removeIf(flight -> now - flight.deadline() > 0)) {
                silent = true;
            }
            probe = silent && !closed && now - probedUntil > 0;
            if (probe) {
                probedUntil = now + limits.timeout().toNanos();
            }
        }
        for (Ticket<C> ticket : unsent) {
            if (forget(ticket)) {
                ticket.completeExceptionally(StoreUnavailableException.notSent(
                        "Redis answered nobody, so a call was not sent within " + limits.timeout()));
            }
        }
        unanswered.forEach(ticket -> ticket.completeExceptionally(
                new StoreUnavailableException("Redis did not answer within " + limits.timeout(), null)));
        if (probe) {
            begin(transport::probe).whenComplete((answer, failure) -> probed(failure));
        }
    }

    private void probed(@Nullable Throwable failure) {
        synchronized (this) {
            probedUntil = System.nanoTime();
            silent &= failure != null && Failures.isSilence(failure);
        }
        if (failure != null && Failures.unwrap(failure) instanceof RedisCommandTimeoutException) {
            transport.replaceConnection(this::isSilent);
        }
        sendWaiting();
    }

    private synchronized boolean isSilent() {
        return silent;
    }

    /** Fails what has no answer yet, and takes no more. */
    void close() {
        List<Ticket<C>> rest;
        List<Flight<C>> sent;
        synchronized (this) {
            closed = true;
            rest = List.copyOf(waiting);
            waiting.clear();
            waitingBytes = 0;
            sent = List.copyOf(flights);
        }
        rest.forEach(ticket -> ticket.completeExceptionally(StoreUnavailableException.notSent("the store is closed")));
        sent.forEach(flight -> flight.tickets()
                .forEach(ticket -> ticket.completeExceptionally(
                        new StoreUnavailableException("the store was closed before Redis had answered", null))));
    }
}
