package dev.semel.redis;

import static dev.semel.util.Failures.unwrap;

import dev.semel.spi.QueuedCall;
import dev.semel.store.StoreUnavailableException;
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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls on their way to Redis, those that come while others are under way together. No call waits for others to join it.
 *
 * <p>What waits here is bounded, and one batch is under way at a time. A caller that gives up withdraws a call that was
 * not sent. When Redis does not answer, only a probe is sent until it does, so that a call that has failed for its
 * caller is not carried out later. Only the calls that were under way when Redis fell silent can still be carried out.
 */
final class Lane<C> {

    /**
     * The answer to a call: a number, the bytes of a record or the parts of a refusal; and the time in microseconds.
     */
    record Reply(Object value, long now) {

        boolean isRefusal() {
            return value instanceof List<?>;
        }

        boolean isDone() {
            return value.equals(1L);
        }
    }

    /**
     * How calls get to Redis.
     *
     * @param send sends calls together; completes with an answer to each
     * @param isConnected whether there is a connection to send over
     * @param replaceConnection sends over another connection from now on, if this one is still silent then
     * @param probe asks Redis for something that changes nothing, the same way
     */
    record Transport<C>(
            Function<List<C>, CompletionStage<List<Reply>>> send,
            BooleanSupplier isConnected,
            Consumer<BooleanSupplier> replaceConnection,
            Supplier<CompletionStage<Long>> probe) {}

    /**
     * The limits: how much may wait, how much may be sent together, and how long a call may take. A larger call waits
     * and is sent alone.
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
    }

    private final String name;
    private final Limits limits;
    private final Transport<C> transport;
    private final Set<Ticket<C>> waiting = new LinkedHashSet<>();
    private List<Ticket<C>> underWay = List.of();
    private long waitingBytes;
    private volatile boolean silent;
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
        long deadline = System.nanoTime() + limits.timeout().toNanos();
        Ticket<C> ticket = new Ticket<>(call, bytes, deadline);
        String refusal = admit(ticket, yields ? 2 : 1);
        if (refusal != null) {
            return CompletableFuture.failedFuture(StoreUnavailableException.notSent(refusal));
        }
        ticket.whenComplete((reply, failure) -> {
            if (failure != null) {
                forget(ticket);
            }
        });
        sendWaiting();
        return ticket;
    }

    /** Lets a call wait in this part of the room, or says why it cannot. */
    private synchronized @Nullable String admit(Ticket<C> ticket, int part) {
        long bytes = waitingBytes + ticket.bytes;
        if (closed) {
            return "the store is closed";
        } else if (!waiting.isEmpty()
                && (waiting.size() >= limits.waiting() / part || bytes > limits.waitingBytes() / part)) {
            return "the queue of " + name + " is full: " + waiting.size() + " calls of " + waitingBytes
                    + " bytes wait for Redis; send fewer at once, or raise the store's queue limit";
        }
        waiting.add(ticket);
        waitingBytes = bytes;
        return null;
    }

    private synchronized boolean forget(Ticket<C> ticket) {
        boolean waited = waiting.remove(ticket);
        waitingBytes -= waited ? ticket.bytes : 0;
        return waited;
    }

    /** How many calls wait to be sent. */
    synchronized int waiting() {
        return waiting.size();
    }

    private void sendWaiting() {
        List<Ticket<C>> batch = nextBatch();
        if (!batch.isEmpty()) {
            send(batch).whenComplete((answers, failure) -> answered(batch, answers, failure));
        }
    }

    private CompletionStage<List<Reply>> send(List<Ticket<C>> tickets) {
        List<C> calls = tickets.stream().map(ticket -> ticket.call).toList();
        return CompletableFuture.completedFuture(calls).thenCompose(transport.send());
    }

    private synchronized List<Ticket<C>> nextBatch() {
        silent |= !waiting.isEmpty() && !transport.isConnected().getAsBoolean();
        if (silent || !underWay.isEmpty()) {
            return List.of();
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
        underWay = batch;
        return batch;
    }

    private void answered(List<Ticket<C>> tickets, @Nullable List<Reply> answers, @Nullable Throwable failure) {
        synchronized (this) {
            if (tickets.equals(underWay)) {
                underWay = List.of();
                silent |= failure != null && Failures.isSilence(failure);
            }
        }
        sendWaiting();
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

    /** Fails calls that have timed out, sent or not, and probes a silent Redis again. */
    void tick(long now) {
        List<Ticket<C>> overdue = new ArrayList<>();
        boolean probe;
        synchronized (this) {
            waiting.stream().takeWhile(ticket -> now - ticket.deadline > 0).forEach(overdue::add);
            underWay.stream().filter(ticket -> now - ticket.deadline > 0).forEach(overdue::add);
            if (!underWay.isEmpty() && overdue.containsAll(underWay)) {
                underWay = List.of();
                silent = true;
            }
            probe = silent && !closed && now - probedUntil > 0;
            probedUntil = probe ? now + limits.timeout().toNanos() : probedUntil;
        }
        fail(
                overdue,
                "Redis did not answer, so a call was not sent within " + limits.timeout(),
                "Redis did not answer within " + limits.timeout());
        if (probe) {
            CompletableFuture.completedFuture(transport.probe())
                    .thenCompose(Supplier::get)
                    .whenComplete((answer, failure) -> probed(failure));
        }
    }

    private void fail(List<Ticket<C>> tickets, String ifWaiting, String ifSent) {
        for (Ticket<C> ticket : tickets) {
            boolean waited = forget(ticket);
            ticket.completeExceptionally(
                    waited
                            ? StoreUnavailableException.notSent(ifWaiting)
                            : new StoreUnavailableException(ifSent, null));
        }
    }

    private void probed(@Nullable Throwable failure) {
        synchronized (this) {
            probedUntil = System.nanoTime();
            silent &= failure != null && Failures.isSilence(failure);
        }
        if (failure != null && unwrap(failure) instanceof RedisCommandTimeoutException) {
            transport.replaceConnection().accept(() -> silent);
        }
        sendWaiting();
    }

    /** Fails all unanswered calls, and accepts no more. */
    void close() {
        List<Ticket<C>> rest;
        synchronized (this) {
            closed = true;
            rest = new ArrayList<>(waiting);
            rest.addAll(underWay);
        }
        fail(rest, "the store is closed", "the store was closed before Redis had answered");
    }
}
