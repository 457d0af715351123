package dev.semel;

import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
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
import java.util.function.Consumer;

/**
 * The heartbeat: renews the leases of all attempts of this process together, each when a third of it has passed.
 *
 * <p>So a crash is noticed after one lease even when operations take hours, and an operation that is shorter than a
 * third of its lease costs no renewal at all. An attempt that is ending is not renewed: its renewal would wait for the
 * row that its own settle holds, and with it all others.
 */
final class LeaseKeeper {

    private static final long TICK_MILLIS = 50;

    private final Map<Lease, Held> held = new ConcurrentHashMap<>();
    private final KeyStore store;
    private final StoreRetry retry;
    private final Duration patience;
    private final Consumer<RunningAttempt> lost;
    private final Consumer<Throwable> failed;

    LeaseKeeper(
            KeyStore store,
            StoreRetry retry,
            Duration patience,
            Consumer<RunningAttempt> lost,
            Consumer<Throwable> failed) {
        this.store = store;
        this.retry = retry;
        this.patience = patience;
        this.lost = lost;
        this.failed = failed;
    }

    void start(ScheduledExecutorService timer) {
        timer.scheduleWithFixedDelay(this::beat, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    void keep(RunningAttempt attempt, Duration duration) {
        held.put(attempt.lease(), new Held(attempt, duration));
    }

    void drop(RunningAttempt attempt) {
        held.remove(attempt.lease());
    }

    List<RunningAttempt> attempts() {
        return held.values().stream().map(each -> each.attempt).toList();
    }

    private void beat() {
        long now = System.nanoTime();
        List<Renewal> due = new ArrayList<>();
        for (Held each : held.values()) {
            if (now - each.dueAt >= 0 && !each.attempt.isEnding()) {
                each.dueAt = now + each.duration.toNanos() / 3;
                due.add(new Renewal(each.attempt.lease(), each.duration));
            }
        }
        if (due.isEmpty()) {
            return;
        }
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
    CompletionStage<Void> confirm(RunningAttempt attempt, Duration duration) {
        Lease lease = attempt.lease();
        if (attempt.isLeaseLost()) {
            return CompletableFuture.failedStage(new LeaseLostException(lease.digest(), lease.token()));
        }
        long now = System.nanoTime();
        return retry.repeat(() -> store.renew(List.of(new Renewal(lease, duration))), patience)
                .thenAccept(renewed -> {
                    if (!renewed.contains(lease)) {
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
            }
        }
        failed.accept(Failures.unwrap(failure));
    }

    private static final class Held {

        private final RunningAttempt attempt;
        private final Duration duration;
        private volatile long dueAt;

        private Held(RunningAttempt attempt, Duration duration) {
            this.attempt = attempt;
            this.duration = duration;
            this.dueAt = System.nanoTime() + duration.toNanos() / 3;
        }
    }
}
