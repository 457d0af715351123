package dev.semel;

import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The heartbeat: renews the leases of all attempts of this process together, each when a third of it has passed.
 *
 * <p>So a crash is noticed after one lease even when operations take hours, and an operation that is shorter than a
 * third of its lease costs no renewal at all.
 */
final class LeaseKeeper {

    private static final long TICK_MILLIS = 50;

    private final Map<Lease, Held> held = new ConcurrentHashMap<>();
    private final KeyStore store;
    private final Consumer<RunningAttempt> lost;
    private final Consumer<Throwable> failed;

    LeaseKeeper(KeyStore store, Consumer<RunningAttempt> lost, Consumer<Throwable> failed) {
        this.store = store;
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
            if (now - each.dueAt >= 0) {
                each.dueAt = now + each.duration.toNanos() / 3;
                Renewal renewal = new Renewal(each.attempt.lease(), each.duration);
                if (each.failed) {
                    // It may be the one for which the call failed, and must not be a burden to the others again.
                    renew(List.of(renewal));
                } else {
                    due.add(renewal);
                }
            }
        }
        if (!due.isEmpty()) {
            renew(due);
        }
    }

    private void renew(List<Renewal> due) {
        try {
            store.renew(due).whenComplete((renewed, failure) -> {
                if (failure == null) {
                    noteLost(due, renewed);
                } else {
                    retrySoon(due, failure);
                }
            });
        } catch (Throwable e) {
            // An exception would end the schedule, and with it every lease of this process.
            retrySoon(due, e);
        }
    }

    private void noteLost(List<Renewal> due, Set<Lease> renewed) {
        for (Renewal renewal : due) {
            Held each = held.get(renewal.lease());
            if (each != null) {
                each.failed = false;
            }
            if (each != null && !renewed.contains(renewal.lease()) && !each.attempt.isEnding()) {
                held.remove(renewal.lease());
                each.attempt.markLeaseLost();
                lost.accept(each.attempt);
            }
        }
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
        failed.accept(Failures.unwrap(failure));
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
            this.dueAt = System.nanoTime() + duration.toNanos() / 3;
        }
    }
}
