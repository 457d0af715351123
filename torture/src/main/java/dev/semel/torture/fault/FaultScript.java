package dev.semel.torture.fault;

import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.FaultKind.Lane;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.process.DaemonThreads;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Injects faults one after the other in each lane. Which ones, and in which order, follows from the seed. */
public final class FaultScript {

    private static final int MAX_REST_MILLIS = 900;

    /** Where nothing but outages happens, some requests have to get through between two of them. */
    private static final int MAX_REST_BETWEEN_OUTAGES_MILLIS = 15_000;

    private static final int MAX_FAILURES = 5;

    private final TorturePlan plan;
    private final Map<FaultKind, InjectedFault> faults;
    private final FaultLog log;
    private final Predicate<String> wanted;
    private final List<Thread> lanes = new ArrayList<>();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final CountDownLatch end = new CountDownLatch(1);

    /** Fair, so that a fault that has to be alone gets its turn. */
    private final ReadWriteLock turns = new ReentrantReadWriteLock(true);

    /** @param wanted which of the faults, by their places in the schedule, are injected and not only waited for */
    public FaultScript(TorturePlan plan, Map<FaultKind, InjectedFault> faults, FaultLog log, Predicate<String> wanted) {
        this.plan = plan;
        this.wanted = wanted;
        this.faults = new EnumMap<>(faults);
        this.faults.keySet().retainAll(plan.faults());
        this.log = log;
    }

    public void start() {
        for (Lane lane : Lane.values()) {
            List<FaultKind> kinds = new ArrayList<>();
            for (FaultKind kind : faults.keySet()) {
                if (kind.lane == lane) {
                    kinds.addAll(java.util.Collections.nCopies(kind.weight, kind));
                }
            }
            if (!kinds.isEmpty()) {
                Random random = new Random(plan.seed() * 31 + lane.ordinal());
                lanes.add(DaemonThreads.of("faults-" + lane, () -> play(lane, kinds, random)));
            }
        }
        lanes.forEach(Thread::start);
    }

    private void play(Lane lane, List<FaultKind> kinds, Random random) {
        int failures = 0;
        int number = 0;
        int maxRest = kinds.stream().allMatch(FaultKind::isOutage) ? MAX_REST_BETWEEN_OUTAGES_MILLIS : MAX_REST_MILLIS;
        while (true) {
            FaultKind kind = kinds.get(random.nextInt(kinds.size()));
            Random own = new Random(random.nextLong());
            String id = lane + "-" + ++number;
            try {
                if (end.await(own.nextInt(maxRest), TimeUnit.MILLISECONDS)) {
                    return;
                }
                if (!wanted.test(id)) {
                    continue;
                }
                inject(id, kind, own);
                failures = 0;
            } catch (Exception e) {
                // Faults get in each other's way now and then; too often in a row, and the run is worth nothing.
                if (++failures > MAX_FAILURES) {
                    failure.compareAndSet(
                            null, new IllegalStateException("the fault " + kind + " cannot be injected", e));
                    return;
                }
            }
        }
    }

    private void inject(String id, FaultKind kind, Random random) throws Exception {
        Lock turn = kind.isAlone() ? turns.writeLock() : turns.readLock();
        turn.lock();
        try {
            long from = System.nanoTime();
            String detail = faults.getOrDefault(kind, any -> "none").inject(random);
            if (!detail.isEmpty()) {
                log.add(id, kind, detail, from, System.nanoTime());
            }
        } finally {
            turn.unlock();
        }
    }

    /** Throws if faults could not be injected. */
    public void requireNoFailure() throws Exception {
        Exception thrown = failure.get();
        if (thrown != null) {
            throw thrown;
        }
    }

    /** Lets the faults that are under way end. */
    public void stop() throws InterruptedException {
        end.countDown();
        for (Thread lane : lanes) {
            lane.join();
        }
    }
}
