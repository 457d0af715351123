package dev.semel.redis;

import dev.semel.StoreUnavailableException;
import dev.semel.spi.QueuedCall;
import io.lettuce.core.RedisCommandTimeoutException;
import java.time.Duration;
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
 * <p>What waits here is bounded, and one batch is under way at a time. A caller that gives up withdraws a call that was not
 * sent. When Redis does not answer, nothing but a probe is sent until it does, so that what a caller was told to have failed
 * is not carried out later: only the calls that were under way when Redis fell silent still can be.
 */
final class Lane<C> {

    /**
     * The answer to one call.
     *
     * @param value a number, the bytes of a record, or the list of what a refusal says
     * @param now the server's time, in microseconds
     */
    record Reply(Object value, long now) {

        boolean isRefusal() {
            return value instanceof List<?>;
        }

        boolean isNumber() {
            return value instanceof Long;
        }

        long number() {
            return (Long) value;
        }

        /** A record as it was found: empty if there is none. */
        byte[] record() {
            return (byte[]) value;
        }
    }

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

    /**
     * How much a lane takes on, and how long its calls may take.
     *
     * @param waiting the most calls that wait
     * @param waitingBytes the most bytes that wait; a larger call waits only where nothing else does
     * @param batch the most calls that travel together
     * @param batchBytes the most bytes that travel together; a larger call travels alone
     * @param timeout how long a call may take, from its arrival until it is answered
     */
    record Limits(int waiting, long waitingBytes, int batch, int batchBytes, Duration timeout) {}

    /** A call, and the future of its answer. */
    private static final class Ticket<C> extends QueuedCall<Reply> {

        private final C call;
        private final int bytes;
        private final long deadline;

        Ticket(C call, int bytes, long deadline) {
            this.call = call;
            this.bytes = bytes;
            this.deadline = deadline;
        }

        boolean isOverdue(long now) {
            return now - deadline > 0;
        }
    }

    private record Flight<C>(List<Ticket<C>> tickets, long deadline) {}

    private final String name;
    private final Limits limits;
    private final Transport<C> transport;
    private final Set<Ticket<C>> waiting = new LinkedHashSet<>();
    private @Nullable Flight<C> underWay;
    private long waitingBytes;
    private boolean silent;
    private long probedUntil;
    private boolean closed;

    Lane(String name, Limits limits, Transport<C> transport) {
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
        Ticket<C> ticket = new Ticket<>(call, bytes, deadline());
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(StoreUnavailableException.notSent("the store is closed"));
            }
            if (isFull(bytes, yields ? 2 : 1)) {
                return CompletableFuture.failedFuture(StoreUnavailableException.notSent("the queue of " + name
                        + " is full: " + waiting.size() + " calls of " + waitingBytes
                        + " bytes wait for Redis; send fewer at once, or raise the store's queue limit"));
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

    private long deadline() {
        return System.nanoTime() + limits.timeout().toNanos();
    }

    private boolean isFull(int bytes, int parts) {
        return !waiting.isEmpty()
                && (waiting.size() >= limits.waiting() / parts || waitingBytes + bytes > limits.waitingBytes() / parts);
    }

    private synchronized boolean forget(Ticket<C> ticket) {
        boolean waited = waiting.remove(ticket);
        if (waited) {
            waitingBytes -= ticket.bytes;
        }
        return waited;
    }

    /** How many calls wait to be sent. */
    synchronized int waiting() {
        return waiting.size();
    }

    private void sendWaiting() {
        Flight<C> flight = takeOff();
        if (flight != null) {
            send(flight.tickets()).whenComplete((answers, failure) -> landed(flight, answers, failure));
        }
    }

    private CompletionStage<List<Reply>> send(List<Ticket<C>> tickets) {
        return begin(
                () -> transport.send(tickets.stream().map(ticket -> ticket.call).toList()));
    }

    private synchronized @Nullable Flight<C> takeOff() {
        silent |= !waiting.isEmpty() && !transport.isConnected();
        if (silent || underWay != null) {
            return null;
        }
        List<Ticket<C>> batch = new ArrayList<>();
        long bytes = 0;
        Iterator<Ticket<C>> queue = waiting.iterator();
        while (queue.hasNext() && batch.size() < limits.batch()) {
            Ticket<C> ticket = queue.next();
            if (!batch.isEmpty() && bytes + ticket.bytes > limits.batchBytes()) {
                break;
            }
            queue.remove();
            waitingBytes -= ticket.bytes;
            if (ticket.send()) {
                batch.add(ticket);
                bytes += ticket.bytes;
            }
        }
        underWay = batch.isEmpty() ? null : new Flight<>(batch, deadline());
        return underWay;
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
            if (flight.equals(underWay)) {
                underWay = null;
                silent |= failure != null && Failures.isSilence(failure);
            }
        }
        sendWaiting();
        List<Ticket<C>> tickets = flight.tickets();
        // What Redis refused as a whole may be due to one call alone: then each is tried by itself.
        if (failure != null && tickets.size() > 1 && !(Failures.wrap(failure) instanceof StoreUnavailableException)) {
            tickets.forEach(ticket ->
                    send(List.of(ticket)).whenComplete((answer, refusal) -> tell(List.of(ticket), answer, refusal)));
        } else {
            tell(tickets, answers, failure);
        }
    }

    private void tell(List<Ticket<C>> tickets, @Nullable List<Reply> answers, @Nullable Throwable failure) {
        for (int i = 0; i < tickets.size(); i++) {
            if (answers != null) {
                tickets.get(i).complete(answers.get(i));
            } else if (failure != null) {
                tickets.get(i).completeExceptionally(failure);
            }
        }
    }

    /** Fails the calls whose time is over, whatever has become of them, and asks a silent Redis again. */
    void tick(long now) {
        List<Ticket<C>> unsent = new ArrayList<>();
        List<Ticket<C>> unanswered = new ArrayList<>();
        boolean probe;
        synchronized (this) {
            waiting.stream().takeWhile(ticket -> ticket.isOverdue(now)).forEach(unsent::add);
            Flight<C> flight = underWay;
            if (flight != null) {
                flight.tickets().stream()
                        .filter(ticket -> ticket.isOverdue(now))
                        .forEach(unanswered::add);
                if (now - flight.deadline() > 0) {
                    underWay = null;
                    silent = true;
                }
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
        List<Ticket<C>> unsent;
        Flight<C> sent;
        synchronized (this) {
            closed = true;
            unsent = List.copyOf(waiting);
            waiting.clear();
            waitingBytes = 0;
            sent = underWay;
        }
        unsent.forEach(
                ticket -> ticket.completeExceptionally(StoreUnavailableException.notSent("the store is closed")));
        if (sent != null) {
            sent.tickets()
                    .forEach(ticket -> ticket.completeExceptionally(
                            new StoreUnavailableException("the store was closed before Redis had answered", null)));
        }
    }
}
