package dev.semel.outbox;

import dev.semel.messaging.Backoff;
import dev.semel.store.StoreException;
import dev.semel.util.Durations;
import dev.semel.util.Threads;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the messages of an {@link Outbox}, at least once, and in order within an aggregate.
 *
 * <p>Any number of relays, in any number of processes, can work on one outbox: only one of them has a message at a
 * time, and if it dies, the message is free again. Each destination takes one thread, and one connection while it is
 * busy; one more connection listens for notifications.
 */
public final class OutboxRelay implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
    private static final long MAINTENANCE_SECONDS = 60;

    /** From this age on, a receiver may have forgotten an earlier delivery: it is Semel's default retention. */
    static final Duration LATE = Duration.ofHours(24);

    static final String LATE_WARNING =
            "{} with the key {} is sent although it is {} old: a receiver that got it before may have forgotten its key,"
                    + " and act a second time";

    private final List<DestinationWorker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final NotificationListener listener;
    private final Partitions partitions;
    private final ScheduledExecutorService timer;

    private OutboxRelay(RelaySettings settings, Map<String, Destination> destinations) {
        this.partitions = new Partitions(settings.dataSource(), settings.name(), settings.retention());
        this.listener = new NotificationListener(settings, this::wake);
        this.timer = Executors.newSingleThreadScheduledExecutor(Threads.daemons("semel-outbox-timer"));
        try {
            for (Map.Entry<String, Destination> each : destinations.entrySet()) {
                new PollingState(settings.dataSource(), settings.name(), each.getKey()).begin();
                DestinationWorker worker = new DestinationWorker(settings, each.getKey(), each.getValue());
                workers.add(worker);
                threads.add(thread(each.getKey(), worker));
            }
        } catch (SQLException e) {
            timer.shutdownNow();
            throw new StoreException("could not register the relay: " + e.getMessage(), e);
        }
        threads.add(thread("listener", listener));
        timer.scheduleWithFixedDelay(this::maintain, 0, MAINTENANCE_SECONDS, TimeUnit.SECONDS);
        threads.forEach(Thread::start);
    }

    private static Thread thread(String role, Runnable work) {
        return Threads.daemons("semel-outbox-" + role).newThread(work);
    }

    /** Looks for messages immediately. Call it after a commit if the relay is in the same process. */
    public void wake() {
        workers.forEach(DestinationWorker::wake);
    }

    private void maintain() {
        try {
            partitions.maintain();
        } catch (SQLException | RuntimeException e) {
            // An exception would end the schedule.
            LOG.warn("the partitions of the outbox could not be looked after; trying again", e);
        }
    }

    /** Takes no more messages, and waits for running deliveries. */
    @Override
    public void close() {
        timer.shutdownNow();
        listener.stop();
        workers.forEach(DestinationWorker::stop);
        // Every delivery has a timeout, so that this ends.
        threads.forEach(thread -> Threads.awaitUninterrupted(thread::join));
    }

    /** Builds an {@link OutboxRelay}. */
    public static final class Builder {

        private final DataSource dataSource;
        private final OutboxName name;
        private final Map<String, Destination> destinations = new LinkedHashMap<>();
        private int batch = 100;
        private Duration timeout = Duration.ofSeconds(10);
        private Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));
        private int maxAttempts = 100;
        private Duration poll = Duration.ofSeconds(1);
        private Duration retention = Duration.ofDays(7);
        private @Nullable Duration receiverRemembers;

        Builder(DataSource dataSource, OutboxName name) {
            this.dataSource = dataSource;
            this.name = name;
        }

        /** Delivers the messages for this destination. Messages for a destination without a relay wait. */
        public Builder destination(String name, Destination destination) {
            destinations.put(name, destination);
            return this;
        }

        /** About how many messages of a destination are under way at once; 100 by default. */
        public Builder batch(int messages) {
            this.batch = requirePositive("batch", messages);
            return this;
        }

        /** How long one delivery may take before it counts as failed; 10 seconds by default. */
        public Builder timeout(Duration timeout) {
            this.timeout = Durations.requirePositive("timeout", timeout);
            return this;
        }

        /** The pause before a failed delivery is tried again; by default it grows from 1 second to 5 minutes. */
        public Builder backoff(Backoff backoff) {
            this.backoff = backoff;
            return this;
        }

        /** How often a delivery is tried before the message is given up; 100 by default, 0 for forever. */
        public Builder maxAttempts(int attempts) {
            if (attempts < 0) {
                throw new IllegalArgumentException("the most attempts must not be negative, got " + attempts);
            }
            this.maxAttempts = attempts;
            return this;
        }

        /** How often a sleeping relay polls for messages that it was not notified of; 1 second by default. */
        public Builder poll(Duration interval) {
            this.poll = Durations.requirePositive("poll interval", interval);
            return this;
        }

        /** How long delivered messages are kept, in whole days, at least one; 7 days by default. */
        public Builder retention(Duration time) {
            this.retention = Durations.requirePositive("retention", time);
            return this;
        }

        /**
         * How long receivers keep keys. A message that was tried before and is older is given up, since its receiver
         * may have forgotten the key and would act a second time; {@link Outbox#revive} still sends it. By default no
         * message is given up for its age, and a warning is logged after a day.
         */
        public Builder receiverRemembers(Duration time) {
            this.receiverRemembers = Durations.requirePositive("the time that receivers remember", time);
            return this;
        }

        /** Starts the relay. */
        public OutboxRelay start() {
            if (destinations.isEmpty()) {
                throw new IllegalStateException("a relay needs at least one destination");
            }
            return new OutboxRelay(
                    new RelaySettings(
                            dataSource, name, batch, timeout, backoff, maxAttempts, poll, retention, receiverRemembers),
                    destinations);
        }

        private static int requirePositive(String what, int value) {
            if (value < 1) {
                throw new IllegalArgumentException(what + " must be positive, got " + value);
            }
            return value;
        }
    }
}
