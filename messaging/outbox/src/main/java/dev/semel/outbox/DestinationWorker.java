package dev.semel.outbox;

import dev.semel.util.Failures;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers the messages of one destination, round after round, on one thread and one connection. */
final class DestinationWorker implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
    private static final Duration AWAKE_POLL = Duration.ofMillis(20);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final RelaySettings settings;
    private final String name;
    private final Destination destination;
    private final WaitingMessages messages;
    private final PollingState wakefulness;
    private final Semaphore signal = new Semaphore(0);
    private volatile boolean stopped;

    DestinationWorker(RelaySettings settings, String name, Destination destination) {
        this.settings = settings;
        this.name = name;
        this.destination = destination;
        this.messages = new WaitingMessages(settings.name(), name, settings.batch(), settings.backoff());
        this.wakefulness = new PollingState(settings.dataSource(), settings.name(), name);
    }

    /** Looks for messages immediately. */
    void wake() {
        signal.release();
    }

    void stop() {
        stopped = true;
        wake();
    }

    @Override
    public void run() {
        while (!stopped) {
            Duration pause;
            try {
                if (round()) {
                    wakefulness.found();
                    continue;
                }
                pause = wakefulness.isAwake() ? AWAKE_POLL : settings.poll();
            } catch (Throwable e) {
                // Nothing would start another thread for this destination.
                LOG.warn("the messages to {} could not be delivered; trying again", name, e);
                pause = AFTER_FAILURE;
            }
            await(pause);
        }
    }

    private void await(Duration pause) {
        try {
            if (signal.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                signal.drainPermits();
            }
        } catch (InterruptedException e) {
            // Only close() ends this thread: it must not leave a delivery behind whose end is not recorded.
            LOG.debug("interrupted", e);
        }
    }

    /**
     * Takes messages, delivers them and records the results, in one transaction: when this process dies, the database
     * releases them immediately.
     */
    private boolean round() throws SQLException {
        return SqlTransaction.inTransaction(settings.dataSource(), connection -> {
            List<List<Delivery>> lines = messages.take(connection);
            if (lines.isEmpty()) {
                return false;
            }
            List<CompletableFuture<List<DeliveryResult>>> deliveries = new ArrayList<>();
            for (List<Delivery> line : lines) {
                deliveries.add(deliver(line, 0, new ArrayList<>()).toCompletableFuture());
            }
            List<DeliveryResult> results = new ArrayList<>();
            for (CompletableFuture<List<DeliveryResult>> delivered : deliveries) {
                results.addAll(delivered.join());
            }
            messages.mark(connection, results);
            return true;
        });
    }

    /** Delivers the messages of an aggregate one after the other, up to the first that fails. */
    private CompletionStage<List<DeliveryResult>> deliver(List<Delivery> line, int next, List<DeliveryResult> results) {
        if (next == line.size() || stopped) {
            return CompletableFuture.completedStage(results);
        }
        return deliver(line.get(next)).thenCompose(result -> {
            results.add(result);
            return result.isDelivered() || result.dead()
                    ? deliver(line, next + 1, results)
                    : CompletableFuture.completedStage(results);
        });
    }

    private CompletionStage<DeliveryResult> deliver(Delivery delivery) {
        CompletableFuture<?> sent;
        try {
            requireRemembered(delivery);
            sent = destination.deliver(delivery).toCompletableFuture().copy();
        } catch (Throwable e) {
            // Whatever is wrong with a destination, those that were taken with this message must not be sent again for
            // it.
            sent = CompletableFuture.failedFuture(e);
        }
        return sent.orTimeout(settings.timeout().toMillis(), TimeUnit.MILLISECONDS)
                .handle((done, failure) ->
                        failure == null ? DeliveryResult.delivered(delivery) : failed(delivery, failure));
    }

    /** An old key that was sent before may be a new one to its receiver. */
    private void requireRemembered(Delivery delivery) {
        Duration remembered = settings.receiverRemembers();
        boolean wasTried = delivery.attempt() > 1;
        if (remembered != null && wasTried && delivery.age().compareTo(remembered) > 0) {
            throw new UndeliverableException(
                    "the message is " + delivery.age() + " old and was tried before: its receiver, which remembers keys"
                            + " for " + remembered
                            + ", may have forgotten it and act a second time; revive it if it has"
                            + " not acted",
                    null);
        }
        if (remembered == null && delivery.age().compareTo(OutboxRelay.LATE) > 0) {
            LOG.warn(OutboxRelay.LATE_WARNING, delivery.message(), delivery.key(), delivery.age());
        }
    }

    private DeliveryResult failed(Delivery delivery, Throwable failure) {
        Throwable cause = Failures.unwrap(failure);
        boolean dead = cause instanceof UndeliverableException
                || (settings.maxAttempts() > 0 && delivery.attempt() >= settings.maxAttempts());
        String end = dead ? ": it is given up" : "";
        LOG.warn("{} could not be delivered, attempt {}{}", delivery.message(), delivery.attempt(), end, cause);
        return DeliveryResult.failed(delivery, cause, dead);
    }
}
