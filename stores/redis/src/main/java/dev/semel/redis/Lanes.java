package dev.semel.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lanes of a store, and the clock that watches over the deadlines of their calls. */
final class Lanes implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Lanes.class);
    private static final Duration TICK = Duration.ofMillis(50);

    private final int waiting;
    private final int count;
    private final Duration timeout;
    private final List<Lane<?>> all = new CopyOnWriteArrayList<>();
    private final ScheduledThreadPoolExecutor clock;

    /**
     * @param waiting the most calls of one kind that wait
     * @param count how many lanes there are of each kind: see {@link Server#lanes()}
     */
    Lanes(int waiting, int count, Duration timeout) {
        this.waiting = waiting;
        this.count = count;
        this.timeout = timeout;
        this.clock = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "semel-redis-deadlines");
            thread.setDaemon(true);
            return thread;
        });
        clock.scheduleWithFixedDelay(this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    int count() {
        return count;
    }

    LaneLimits batches() {
        return LaneLimits.batches(waiting, count, timeout);
    }

    LaneLimits singles() {
        return LaneLimits.singles(waiting, count, timeout);
    }

    <C> Lane<C> open(String name, LaneLimits limits, Lane.Transport<C> transport) {
        Lane<C> lane = new Lane<>(name, limits, transport);
        all.add(lane);
        return lane;
    }

    /** How many calls wait to be sent. */
    int waiting() {
        return all.stream().mapToInt(Lane::waiting).sum();
    }

    private void tick() {
        for (Lane<?> lane : all) {
            try {
                lane.tick(System.nanoTime());
            } catch (RuntimeException e) {
                log.error("the deadlines of a lane could not be kept", e);
            }
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
        all.forEach(Lane::close);
    }
}
