package dev.semel.retry;

import dev.semel.KeyDigest;
import dev.semel.observe.SemelEvent;
import dev.semel.observe.StoreHealth;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.util.Failures;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tracks whether the store answers at all, so that claims need not wait for a store that is down.
 *
 * <p>A call that fails or takes long only raises a suspicion, since its key may be the reason. It starts probes: renewals
 * of leases that do not exist, which take the same path as any other call and write nothing. The circuit opens when all probes
 * have failed and the store has answered nothing for as long as a claim is patient; so an interruption that patience
 * bridges is bridged as before. Any answer to any call closes it.
 */
public final class StoreCircuit {

    /** How long a call may take before the store is probed. */
    static final Duration SLOW = Duration.ofMillis(500);

    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(1);

    /** The probes use different keys, because a store can be spread over servers of which only one is down. */
    private static final int KEYS_PER_PROBE = 3;

    private final KeyStore store;
    private final ScheduledExecutorService timer;
    private final Duration patience;
    private final Consumer<SemelEvent> listener;
    private final AtomicReference<@Nullable Suspicion> suspicion = new AtomicReference<>();
    private final AtomicLong checkedAt = new AtomicLong(System.nanoTime() - PROBE_TIMEOUT.toNanos());

    /** @param patience how long the store has to be silent */
    public StoreCircuit(
            KeyStore store, ScheduledExecutorService timer, Duration patience, Consumer<SemelEvent> listener) {
        this.store = store;
        this.timer = timer;
        this.patience = patience;
        this.listener = listener;
    }

    /** A period without any answer from the store. Only the timer's thread writes to it, except for its end. */
    private static final class Suspicion {

        final long sinceNanos;
        final Instant since;
        final AtomicBoolean over = new AtomicBoolean();
        volatile StoreException cause;
        volatile boolean probesFailed;
        volatile @Nullable Probe probe;
        boolean told;

        Suspicion(long sinceNanos, StoreException cause) {
            this.sinceNanos = sinceNanos;
            this.since = Instant.now().minusNanos(System.nanoTime() - sinceNanos);
            this.cause = cause;
        }

        boolean isOpen(Duration patience) {
            long now = System.nanoTime();
            Probe last = probe;
            return now - sinceNanos >= patience.toNanos()
                    && (probesFailed || (last != null && last.hasFailed(now)))
                    && !over.get();
        }

        String reason() {
            return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        }
    }

    /** Some renewals, sent together. */
    private final class Probe {

        final long sentAt = System.nanoTime();
        private final AtomicInteger failures = new AtomicInteger();
        private volatile StoreException failure =
                new StoreUnavailableException("the store does not answer a probe", null);
        private volatile boolean answered;

        Probe send() {
            for (int i = 0; i < KEYS_PER_PROBE; i++) {
                Lease nobodys = new Lease(KeyDigest.fromUuid(UUID.randomUUID()), UUID.randomUUID(), 1, 1);
                try {
                    store.renew(List.of(new Renewal(nobodys, PROBE_TIMEOUT)))
                            .whenComplete((none, cause) -> ended(cause == null ? null : Failures.unwrap(cause)));
                } catch (RuntimeException e) {
                    ended(e);
                }
            }
            return this;
        }

        /** Any answer, except that the store could not be reached, means that it is up. */
        private void ended(@Nullable Throwable cause) {
            if (cause instanceof StoreUnavailableException unavailable) {
                failure = unavailable;
                failures.incrementAndGet();
            } else if (cause instanceof CancellationException) {
                failures.incrementAndGet();
            } else {
                answered = true;
                StoreCircuit.this.answered();
            }
        }

        boolean hasFailed(long now) {
            return !answered && (failures.get() == KEYS_PER_PROBE || now - sentAt >= PROBE_TIMEOUT.toNanos());
        }
    }

    /** Records that the store has answered a call, or refused it for good. */
    void answered() {
        Suspicion current = suspicion.get();
        if (current != null && current.over.compareAndSet(false, true)) {
            // Before another suspicion can begin, so that the end of an outage is reported before the start of the
            // next.
            execute(() -> end(current), Duration.ZERO);
            suspicion.compareAndSet(current, null);
        }
    }

    /** Records a call that failed, or that has had no answer since then. */
    void suspect(long sinceNanos, StoreException cause) {
        Suspicion current = suspicion.get();
        if (current == null) {
            Suspicion begun = new Suspicion(sinceNanos, cause);
            if (suspicion.compareAndSet(null, begun)) {
                execute(() -> look(begun), Duration.ZERO);
            }
        }
    }

    /** Why claims are not sent at this moment; {@code null} if they are. */
    @Nullable
    StoreUnavailableException refusal() {
        Suspicion current = suspicion.get();
        return current == null || !current.isOpen(patience)
                ? null
                : StoreUnavailableException.notSent("not sent, because the store has not answered since "
                        + current.since + ": " + current.reason());
    }

    /** Whether the store answers. If the last check is a second old, this starts a probe, and the next call knows its result. */
    public StoreHealth health() {
        Suspicion current = suspicion.get();
        if (current != null) {
            return current.isOpen(patience) ? StoreHealth.downSince(current.since, current.reason()) : StoreHealth.UP;
        }
        long now = System.nanoTime();
        long last = checkedAt.get();
        if (now - last >= PROBE_TIMEOUT.toNanos() && checkedAt.compareAndSet(last, now)) {
            Probe probe = new Probe().send();
            execute(
                    () -> {
                        if (!probe.answered) {
                            suspect(probe.sentAt, probe.failure);
                        }
                    },
                    SLOW);
        }
        return StoreHealth.UP;
    }

    /** Sends the next probe if the previous one has ended, and opens the circuit when it is time. */
    private void look(Suspicion current) {
        if (current.over.get()) {
            return;
        }
        long now = System.nanoTime();
        Probe probe = current.probe;
        if (probe == null) {
            current.probe = new Probe().send();
        } else if (probe.hasFailed(now)) {
            current.cause = probe.failure;
            current.probesFailed = true;
            current.probe = new Probe().send();
        }
        if (!current.told && current.isOpen(patience)) {
            current.told = true;
            listener.accept(new SemelEvent.StoreDown(current.since, current.cause));
        }
        long left = patience.toNanos() - (now - current.sinceNanos);
        boolean opensSoon = left > 0 && left < PAUSE.toNanos();
        execute(() -> look(current), opensSoon ? Duration.ofNanos(left) : PAUSE);
    }

    private void end(Suspicion ended) {
        if (ended.told) {
            listener.accept(
                    new SemelEvent.StoreUp(ended.since, Duration.ofNanos(System.nanoTime() - ended.sinceNanos)));
        }
    }

    private void execute(Runnable task, Duration delay) {
        try {
            timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // The engine is closed, so there are no more claims.
            return;
        }
    }
}
