package dev.semel.jdbc.lane;

import dev.semel.KeyDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a lane for locked keys. They stand aside, so that no other request waits for them, and
 * are sent again from time to time, in a way that does not wait. Only for the lane's worker.
 */
final class HeldKeys<Q, R> {

    private static final long FIRST_PAUSE = Duration.ofMillis(5).toNanos();
    private static final int PAUSE_DOUBLINGS = 4;

    /** For how long a key counts as held without further requests: the next request would cost its neighbours time. */
    private static final long REMEMBERED = Duration.ofSeconds(1).toNanos();

    private final Map<KeyDigest, Held<Q, R>> keys = new LinkedHashMap<>();

    private static final class Held<Q, R> {

        final Set<Ticket<Q, R>> tickets = new LinkedHashSet<>();
        final long since;
        long dueAt;
        int tries;

        Held(long now) {
            since = now;
            dueAt = now;
        }
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }

    /** Adds a request for a key that is held, and returns {@code false} if the key is not. */
    boolean join(KeyDigest digest, Ticket<Q, R> ticket) {
        Held<Q, R> held = keys.get(digest);
        return held != null && held.tickets.add(ticket);
    }

    /** Notes that a key was held when this request was sent, and returns since when it is known to be. */
    long add(KeyDigest digest, Ticket<Q, R> ticket, long now) {
        Held<Q, R> held = keys.computeIfAbsent(digest, key -> new Held<>(now));
        held.tickets.add(ticket);
        return held.since;
    }

    void remove(KeyDigest digest) {
        keys.remove(digest);
    }

    /** The requests to send again now; a request that has to be sent by itself comes alone. */
    List<Ticket<Q, R>> due(long now, int most) {
        List<Ticket<Q, R>> due = new ArrayList<>();
        keys.values().removeIf(held -> {
            held.tickets.removeIf(Ticket::isDone);
            return held.tickets.isEmpty() && now - held.dueAt > REMEMBERED;
        });
        int found = 0;
        for (Held<Q, R> held : keys.values()) {
            if (now - held.dueAt < 0 || held.tickets.isEmpty()) {
                continue;
            }
            boolean alone = held.tickets.iterator().next().alone;
            if (found == most || (alone && found > 0)) {
                break;
            }
            held.dueAt = now + (FIRST_PAUSE << Math.min(held.tries++, PAUSE_DOUBLINGS));
            held.tickets.stream().filter(Ticket::begin).forEach(due::add);
            found++;
            if (alone) {
                break;
            }
        }
        return due;
    }

    /** How long until something is due, in nanoseconds; {@code null} if no request waits. */
    @Nullable
    Long untilDue(long now) {
        return keys.values().stream()
                .filter(held -> held.tickets.stream().anyMatch(ticket -> !ticket.isDone()))
                .map(held -> Math.max(0, held.dueAt - now))
                .min(Long::compare)
                .orElse(null);
    }

    List<Ticket<Q, R>> tickets() {
        List<Ticket<Q, R>> all = new ArrayList<>();
        keys.values().forEach(held -> all.addAll(held.tickets));
        return all;
    }
}
