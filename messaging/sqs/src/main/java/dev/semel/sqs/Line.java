package dev.semel.sqs;

import dev.semel.messaging.Backoff;
import dev.semel.messaging.MessageGuard;
import dev.semel.messaging.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.model.Message;

/** Offers messages to their keys, those of a group one after the other, and does what the verdict says. */
final class Line {

    private static final Logger LOG = LoggerFactory.getLogger(Line.class);

    private final MessageGuard<Message> guard;
    private final Receipts receipts;
    private final DeadLetters deadLetters;
    private final String operation;
    private final Backoff backoff;
    private final Set<CompletableFuture<?>> running = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    Line(MessageGuard<Message> guard, Receipts receipts, DeadLetters deadLetters, String operation, Backoff backoff) {
        this.guard = guard;
        this.receipts = receipts;
        this.deadLetters = deadLetters;
        this.operation = operation;
        this.backoff = backoff;
    }

    /** Starts no more handlers: what was received comes again. */
    void stop() {
        stopped = true;
    }

    void drain(Duration atMost) {
        CompletableFuture.allOf(running.toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, atMost.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    void handle(List<Received> group) {
        CompletableFuture<Void> handling = handle(group, 0).toCompletableFuture();
        running.add(handling);
        handling.whenComplete((done, failure) -> running.remove(handling));
    }

    private CompletionStage<Void> handle(List<Received> group, int next) {
        if (next == group.size()) {
            return CompletableFuture.completedStage(null);
        }
        if (stopped) {
            return leave(group, next, Duration.ZERO);
        }
        Received received = group.get(next);
        return judge(received)
                .thenCompose(again -> again.isEmpty() ? handle(group, next + 1) : leave(group, next, again.get()));
    }

    /** What is behind a message that has to come again must not overtake it. */
    private CompletionStage<Void> leave(List<Received> group, int from, Duration delay) {
        CompletableFuture<?>[] left = group.subList(from, group.size()).stream()
                .map(received -> receipts.leave(received, delay))
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(left);
    }

    /** Deletes the message if it is done with; otherwise, says after which time it is to come again. */
    private CompletionStage<Optional<Duration>> judge(Received received) {
        CompletionStage<Optional<Duration>> offered;
        try {
            offered = offer(received, 1);
        } catch (RuntimeException e) {
            offered = CompletableFuture.failedStage(e);
        }
        return offered.exceptionally(failure -> {
            LOG.error("{} could not be offered to its key, and comes again", received, failure);
            return Optional.of(backoff.last());
        });
    }

    private CompletionStage<Optional<Duration>> offer(Received received, int tries) {
        return received.offer(guard).thenCompose(verdict -> apply(received, verdict, tries));
    }

    private CompletionStage<Optional<Duration>> apply(Received received, Verdict verdict, int tries) {
        if (verdict instanceof Verdict.Again again) {
            received.heed(again.rejection());
            if (again.cause() == Verdict.Cause.NOT_EXECUTED && guard.isGivenUpAfter(received.count())) {
                received.giveUp(again.failure());
                return offer(received, tries);
            }
            if (again.atMost().isZero()) {
                return offer(received, tries);
            }
            LOG.debug("{} comes again: {}", received, again.cause(), again.failure());
            Duration pause = backoff.after(received.isRejected() ? tries : received.count());
            Duration delay = pause.compareTo(again.atMost()) < 0 ? pause : again.atMost();
            return received.isRejected()
                    ? keep(received, delay, tries)
                    : CompletableFuture.completedStage(Optional.of(delay));
        }
        if (verdict instanceof Verdict.Dead dead) {
            LOG.warn("{} goes to the dead letters: {} {} {}", received, dead.reason(), dead.type(), dead.message());
            return deadLetters
                    .send(new DeadLetter(
                            received.message,
                            operation,
                            received.key.digest(),
                            dead.reason(),
                            dead.type(),
                            dead.message()))
                    .thenApply(sent -> done(received));
        }
        return CompletableFuture.completedStage(done(received));
    }

    /** One that was rejected would be handled again if it came again: it stays here until its rejection is stored. */
    private CompletionStage<Optional<Duration>> keep(Received received, Duration delay, int tries) {
        Executor later = CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS);
        return CompletableFuture.supplyAsync(() -> stopped, later)
                .thenCompose(now -> now
                        ? CompletableFuture.completedStage(Optional.of(Duration.ZERO))
                        : offer(received, tries + 1));
    }

    private Optional<Duration> done(Received received) {
        receipts.delete(received);
        return Optional.empty();
    }
}
