package dev.semel.sqs;

import dev.semel.SemelClosedException;
import dev.semel.messaging.Backoff;
import dev.semel.messaging.ConsumerSettings;
import dev.semel.messaging.DeadLetter;
import dev.semel.messaging.MessageGuard;
import dev.semel.messaging.MessageVerdict;
import dev.semel.util.Failures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.model.Message;

/** Runs messages under their keys, those of a group one after the other, and acts on the verdict. */
final class MessageDispatcher {

    private static final Logger LOG = LoggerFactory.getLogger(MessageDispatcher.class);

    private final ConsumerSettings<Message> settings;
    private final MessageGuard<Message> guard;
    private final Receipts receipts;
    private final Backoff backoff;
    private final Set<CompletableFuture<?>> running = ConcurrentHashMap.newKeySet();
    private final Consumer<Throwable> broken;
    private volatile boolean stopped;

    /**
     * Makes a line.
     *
     * @param broken receives failures that no retry can fix
     */
    MessageDispatcher(
            ConsumerSettings<Message> settings,
            MessageGuard<Message> guard,
            Receipts receipts,
            Consumer<Throwable> broken) {
        this.settings = settings;
        this.guard = guard;
        this.receipts = receipts;
        this.backoff = settings.backoff();
        this.broken = broken;
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

    void handle(List<ReceivedMessage> group) {
        CompletableFuture<Void> handling = handle(group, 0).toCompletableFuture();
        running.add(handling);
        handling.whenComplete((done, failure) -> running.remove(handling));
    }

    private CompletionStage<Void> handle(List<ReceivedMessage> group, int next) {
        if (next == group.size()) {
            return CompletableFuture.completedStage(null);
        }
        if (stopped) {
            return leave(group, next, Duration.ZERO);
        }
        ReceivedMessage received = group.get(next);
        return judge(received)
                .thenCompose(again -> again.isEmpty() ? handle(group, next + 1) : leave(group, next, again.get()));
    }

    /** What is behind a message that has to come again must not overtake it. */
    private CompletionStage<Void> leave(List<ReceivedMessage> group, int from, Duration delay) {
        CompletableFuture<?>[] left = group.subList(from, group.size()).stream()
                .map(received -> receipts.leave(received, delay))
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(left);
    }

    /** Deletes the message if it is done with; otherwise, says after which time it is to come again. */
    private CompletionStage<Optional<Duration>> judge(ReceivedMessage received) {
        return offer(received, 1).exceptionally(failure -> {
            if (Failures.unwrap(failure) instanceof SemelClosedException) {
                broken.accept(failure);
                return Optional.of(Duration.ZERO);
            }
            LOG.error("{} could not be offered to its key, and comes again", received, failure);
            return Optional.of(backoff.last());
        });
    }

    private CompletionStage<Optional<Duration>> offer(ReceivedMessage received, int tries) {
        return received.offer(guard).thenCompose(verdict -> apply(received, verdict, tries));
    }

    private CompletionStage<Optional<Duration>> apply(ReceivedMessage received, MessageVerdict verdict, int tries) {
        if (verdict instanceof MessageVerdict.Again again) {
            if (again.atMost().isZero()) {
                return offer(received, tries);
            }
            LOG.debug("{} comes again: {}", received, again.cause(), again.failure());
            // What is not stored yet is only known here: another consumer would handle the message again.
            boolean stays = again.cause() == MessageVerdict.Cause.NOT_STORED;
            Duration pause = backoff.after(stays ? tries : received.count());
            Duration delay = pause.compareTo(again.atMost()) < 0 ? pause : again.atMost();
            return stays
                    ? later(delay, () -> offer(received, tries + 1))
                    : CompletableFuture.completedStage(Optional.of(delay));
        }
        if (verdict instanceof MessageVerdict.Dead dead) {
            LOG.warn("{} goes to the dead letters: {} {} {}", received, dead.reason(), dead.type(), dead.message());
            return bury(received, dead, 1);
        }
        return CompletableFuture.completedStage(done(received));
    }

    /** Stays here until the dead letters have it: nothing may be stored that says that it is dead. */
    private CompletionStage<Optional<Duration>> bury(ReceivedMessage received, MessageVerdict.Dead dead, int tries) {
        DeadLetter<Message> letter = DeadLetter.of(received.message, settings.operation(), received.key.digest(), dead);
        return CompletableFuture.completedStage(letter)
                .thenCompose(settings.deadLetters()::send)
                .thenApply(sent -> done(received))
                .exceptionallyCompose(failure -> {
                    LOG.warn("{} could not be sent to the dead letters and will be sent again", received, failure);
                    return later(backoff.after(tries), () -> bury(received, dead, tries + 1));
                });
    }

    private CompletionStage<Optional<Duration>> later(
            Duration delay, Supplier<CompletionStage<Optional<Duration>>> work) {
        Executor later = CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS);
        return CompletableFuture.supplyAsync(() -> stopped, later)
                .thenCompose(now -> now ? CompletableFuture.completedStage(Optional.of(Duration.ZERO)) : work.get());
    }

    private Optional<Duration> done(ReceivedMessage received) {
        receipts.delete(received);
        return Optional.empty();
    }
}
