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
        CompletionStage<Verdict> offered;
        try {
            offered = received.offer(guard);
        } catch (RuntimeException e) {
            offered = CompletableFuture.failedStage(e);
        }
        return offered.thenCompose(verdict -> apply(received, verdict)).exceptionally(failure -> {
            LOG.error("{} could not be offered to its key, and comes again", received, failure);
            return Optional.of(backoff.last());
        });
    }

    private CompletionStage<Optional<Duration>> apply(Received received, Verdict verdict) {
        if (verdict instanceof Verdict.Again again) {
            if (again.cause() == Verdict.Cause.NOT_EXECUTED && guard.isGivenUpAfter(received.count())) {
                return received.giveUp(guard, again.failure()).thenCompose(given -> apply(received, given));
            }
            if (again.atMost().isZero()) {
                return received.offer(guard).thenCompose(next -> apply(received, next));
            }
            LOG.debug("{} comes again: {}", received, again.cause(), again.failure());
            Duration delay = backoff.after(received.count());
            return CompletableFuture.completedStage(
                    Optional.of(delay.compareTo(again.atMost()) < 0 ? delay : again.atMost()));
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

    private Optional<Duration> done(Received received) {
        receipts.delete(received);
        return Optional.empty();
    }
}
