package dev.semel.lease;

import dev.semel.LeaseLostException;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.store.StoreException;
import dev.semel.util.Failures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The heartbeat: renews the leases of all attempts of this process together, each when a third of it has passed.
 *
 * <p>So a crash is noticed after one lease even when operations take hours, and an operation that is shorter than a
 * third of its lease costs no renewal at all. An attempt that is ending is not renewed: its renewal would wait for the
 * row that its own settle holds, and with it all others.
 */
public final class LeaseKeeper {

    private static final long TICK_MILLIS = 50;

    private final Map<Lease, Held> held = new ConcurrentHashMap<>();
    private final KeyStore store;
    private final Function<Renewal, CompletionStage<Boolean>> confirmation;
    private final Consumer<RunningAttempt> lost;
    private final Consumer<Throwable> failed;

    /** When a failure was reported last: in an outage, one report is enough for all that fails at the same time. */
    private final AtomicLong toldAt = new AtomicLong(System.nanoTime() - TimeUnit.SECONDS.toNanos(1));

    /** @param confirmation renews one lease, patiently, and says whether it is held */
    public LeaseKeeper(
            KeyStore store,
            Function<Renewal, CompletionStage<Boolean>> confirmation,
            Consumer<RunningAttempt> lost,
            Consumer<Throwable> failed) {
        this.store = store;
        this.confirmation = confirmation;
        this.lost = lost;
        this.failed = failed;
    }

    public void start(ScheduledExecutorService timer) {
        timer.scheduleWithFixedDelay(this::beat, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    public void keep(RunningAttempt attempt, Duration duration) {
        held.put(attempt.lease(), new Held(attempt, duration));
    }

    public void drop(RunningAttempt attempt) {
        held.remove(attempt.lease());
    }

    public List<RunningAttempt> attempts() {
        return held.values().stream().map(each -> each.attempt).toList();
    }

    private void beat() {
        long now = System.nanoTime();
        List<Renewal> due = new ArrayList<>();
        for (Held each : held.values()) {
            if (now - each.dueAt >= 0 && !each.attempt.isEnding()) {
                each.dueAt = now + each.duration.toNanos() / 3;
                Renewal renewal = new Renewal(each.attempt.lease(), each.duration);
                if (each.failed) {
                    // It may be the one for which the call failed, and must not be a burden to the others again.
                    renew(List.of(renewal), now);
                } else {
                    due.add(renewal);
                }
            }
        }
        if (!due.isEmpty()) {
            renew(due, now);
        }
    }

    private void renew(List<Renewal> due, long now) {
        try {
            store.renew(due).whenComplete((renewed, failure) -> {
                if (failure == null) {
                    noteAnswer(due, renewed, now);
                } else {
                    retrySoon(due, failure);
                }
            });
        } catch (Throwable e) {
            // An exception would end the schedule, and with it every lease of this process.
            retrySoon(due, e);
        }
    }

    /**
     * Asks now whether the lease is held, and extends it. Completes with {@link LeaseLostException} if it is lost, and
     * with a {@link StoreException} if the store does not say.
     */
    public CompletionStage<Void> confirm(RunningAttempt attempt, Duration duration) {
        Lease lease = attempt.lease();
        if (attempt.isLeaseLost()) {
            return CompletableFuture.failedStage(new LeaseLostException(lease.digest(), lease.token()));
        }
        long now = System.nanoTime();
        return confirmation.apply(new Renewal(lease, duration)).thenAccept(held -> {
            if (!held) {
                lose(attempt);
                throw new LeaseLostException(lease.digest(), lease.token());
            }
            attempt.renewed(now, duration);
        });
    }

    private void noteAnswer(List<Renewal> due, Set<Lease> renewed, long askedAt) {
        for (Renewal renewal : due) {
            Held each = held.get(renewal.lease());
            if (each == null) {
                continue;
            }
            each.failed = false;
            if (renewed.contains(renewal.lease())) {
                each.attempt.renewed(askedAt, renewal.duration());
            } else if (!each.attempt.isEnding()) {
                lose(each.attempt);
            }
        }
    }

    private void lose(RunningAttempt attempt) {
        held.remove(attempt.lease());
        attempt.markLeaseLost();
        lost.accept(attempt);
    }

    private void retrySoon(List<Renewal> due, Throwable failure) {
        long now = System.nanoTime();
        for (Renewal renewal : due) {
            Held each = held.get(renewal.lease());
            if (each != null) {
                each.dueAt = now + each.duration.toNanos() / 12;
                each.failed = true;
            }
        }
        long last = toldAt.get();
        if (now - last >= TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS) && toldAt.compareAndSet(last, now)) {
            failed.accept(Failures.unwrap(failure));
        }
    }

    private static final class Held {

        private final RunningAttempt attempt;
        private final Duration duration;
        private volatile long dueAt;

        /** Whether the last renewal, alone or together with others, got no answer. */
        private volatile boolean failed;

        private Held(RunningAttempt attempt, Duration duration) {
            this.attempt = attempt;
            this.duration = duration;
            this.dueAt = attempt.startedAt() + duration.toNanos() / 3;
        }
    }
}
