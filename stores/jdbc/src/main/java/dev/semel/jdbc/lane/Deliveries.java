package dev.semel.jdbc.lane;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Batches whose answers are passed on by workers that have left their lane to do so, while another worker sends. */
final class Deliveries<Q, R> {

    private final Set<Delivery<Q, R>> underWay = ConcurrentHashMap.newKeySet();

    private static final class Delivery<Q, R> {

        final List<Ticket<Q, R>> tickets;
        final Thread thread = Thread.currentThread();
        final CompletableFuture<Void> done = new CompletableFuture<>();

        Delivery(List<Ticket<Q, R>> tickets) {
            this.tickets = tickets;
        }
    }

    /** The calling thread begins to answer these requests. Run what is returned when it has done so. */
    Runnable begin(List<Ticket<Q, R>> tickets) {
        Delivery<Q, R> delivery = new Delivery<>(tickets);
        underWay.add(delivery);
        return () -> {
            underWay.remove(delivery);
            delivery.done.complete(null);
        };
    }

    Stream<Ticket<Q, R>> tickets() {
        return underWay.stream().flatMap(delivery -> delivery.tickets.stream());
    }

    /** Completes when the present deliveries of all other threads have ended. */
    CompletableFuture<Void> endOfOthers(Thread caller) {
        return CompletableFuture.allOf(underWay.stream()
                .filter(delivery -> delivery.thread != caller)
                .map(delivery -> delivery.done)
                .toArray(CompletableFuture[]::new));
    }
}
