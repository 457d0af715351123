package dev.semel.torture.server;

import dev.semel.Key;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A part of the outside world that shows its effects late, and therefore refuses requests that come late: an effect is only had
 * within a limit after its client sent the request, and only shown after a delay. So if an attempt has lost its lease for
 * {@link #allShownAfter}, everything that it did is shown, and it can do nothing more.
 */
final class LateView {

    private final Duration lease;
    private final boolean showsAll;
    private final Map<String, Long> sentAt = new ConcurrentHashMap<>();
    private final Map<Key, Long> effectAt = new ConcurrentHashMap<>();

    LateView(Duration lease) {
        this(lease, false);
    }

    private LateView(Duration lease, boolean showsAll) {
        this.lease = lease;
        this.showsAll = showsAll;
    }

    /** Shows everything at once. */
    static LateView ofNothing() {
        return new LateView(Duration.ZERO, true);
    }

    /** Whether it shows this key late: every other one of the operation whose outcome can be looked up. */
    boolean concerns(Operation operation, Key key) {
        return !showsAll && operation == Operation.ASK && key.hashCode() % 2 == 0;
    }

    /** A client is about to send the request. */
    void sends(String request) {
        sentAt.put(request, System.nanoTime());
    }

    /** Whether it is too late for the effect of this request. */
    boolean isTooLate(String request) {
        Long since = sentAt.get(request);
        return since != null && System.nanoTime() - since > limit().toNanos();
    }

    void hasEffect(Key key) {
        effectAt.put(key, System.nanoTime());
    }

    void forget(Key key) {
        effectAt.remove(key);
    }

    /** Whether the effect of the key is shown by now. */
    boolean isShown(Key key) {
        Long since = effectAt.get(key);
        return since != null && System.nanoTime() - since > delay().toNanos();
    }

    private Duration limit() {
        return lease.multipliedBy(2);
    }

    /** Longer than a lease: a reconciler that looks as soon as one has lapsed may not see what was done under it. */
    private Duration delay() {
        return lease.plusSeconds(1);
    }

    /** How long after its lease has ended: the lease was claimed after the request was sent. */
    Duration allShownAfter() {
        return limit().minus(lease).plus(delay());
    }
}
