package dev.semel.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.SemelClosedException;
import dev.semel.messaging.Backoff;
import dev.semel.messaging.DeadLetter;
import dev.semel.messaging.DeadLetters;
import dev.semel.messaging.MessageGuard;
import dev.semel.messaging.MessageRejectedException;
import dev.semel.messaging.MessageVerdict;
import dev.semel.messaging.Turn;
import dev.semel.util.Failures;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs incoming messages under their keys, and acknowledges each one as its verdict requires. A message that has to
 * wait stays here: a quorum queue counts how often a message was returned, and drops it after a while.
 */
final class Inbox {

    private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
    private static final int WARN_AFTER_TRIES = 5;

    private final Executor answers;
    private final MessageGuard<Delivery> guard;
    private final DeadLetters<Delivery> deadLetters;
    private final String operation;
    private final Backoff backoff;
    private final Duration holdAtMost;
    private final Set<Item> items = ConcurrentHashMap.newKeySet();

    private final Consumer<Throwable> broken;

    private volatile boolean stopped;

    /**
     * Makes an inbox.
     *
     * @param answers where channels are written to, which may block, while verdicts come on threads of the store
     * @param holdAtMost after which time a message that still waits is given back, since the broker does not wait for
     *     acknowledgements forever
     * @param broken receives failures that no retry can fix
     */
    Inbox(
            Executor answers,
            MessageGuard<Delivery> guard,
            DeadLetters<Delivery> deadLetters,
            String operation,
            Backoff backoff,
            Duration holdAtMost,
            Consumer<Throwable> broken) {
        this.answers = answers;
        this.guard = guard;
        this.deadLetters = deadLetters;
        this.operation = operation;
        this.backoff = backoff;
        this.holdAtMost = holdAtMost;
        this.broken = broken;
    }

    /** A message in our hands. */
    private static final class Item {

        /** Which it came on, and has to be answered on. */
        final Channel channel;

        final Delivery message;
        final Key key;
        final Fingerprint fingerprint;
        final long takenAt = System.nanoTime();
        final CompletableFuture<Void> finished = new CompletableFuture<>();
        /** Why it has no key of its own, if it has none. */
        final @Nullable MessageRejectedException unreadable;

        volatile int tries;
        volatile boolean waiting;

        Item(Channel channel, Delivery message, Key key, @Nullable MessageRejectedException unreadable) {
            this.channel = channel;
            this.message = message;
            this.key = key;
            this.fingerprint = Fingerprint.of(1, message.getBody());
            this.unreadable = unreadable;
        }

        @Override
        public String toString() {
            return "message " + message.getProperties().getMessageId() + " (key " + key + ")";
        }
    }

    void take(Channel channel, Delivery message, Key key, @Nullable MessageRejectedException unreadable) {
        Item item = new Item(channel, message, key, unreadable);
        items.add(item);
        offer(item);
    }

    /** Starts no more handlers, and waits a while for those that run; the broker gives the rest to others. */
    void drain(Duration atMost) {
        stopped = true;
        CompletableFuture<?>[] running = items.stream()
                .filter(item -> !item.waiting)
                .map(item -> item.finished)
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(running)
                .completeOnTimeout(null, atMost.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    private void offer(Item item) {
        if (stopped || !item.channel.isOpen()) {
            // The broker delivers it again.
            finish(item);
            return;
        }
        (item.unreadable == null
                        ? guard.offer(item.key, item.fingerprint, item.message, Turn.NOW)
                        : guard.unreadable(item.key, item.fingerprint, item.unreadable))
                .whenComplete((verdict, failure) -> {
                    if (failure == null) {
                        apply(item, verdict);
                    } else {
                        notOffered(item, failure);
                    }
                });
    }

    private void notOffered(Item item, Throwable failure) {
        if (Failures.unwrap(failure) instanceof SemelClosedException) {
            finish(item);
            broken.accept(failure);
            return;
        }
        LOG.error("{} could not be offered to its key, and will be offered again", item, failure);
        tryLater(item, backoff.last());
    }

    private void apply(Item item, MessageVerdict verdict) {
        if (verdict instanceof MessageVerdict.Settled) {
            acknowledge(item);
        } else if (verdict instanceof MessageVerdict.Dead dead) {
            bury(item, dead);
        } else if (verdict instanceof MessageVerdict.Again again) {
            again(item, again);
        }
    }

    private void again(Item item, MessageVerdict.Again again) {
        if (again.atMost().isZero()) {
            offer(item);
        } else if (tryLater(item, again.atMost()) && item.tries % WARN_AFTER_TRIES == 0) {
            LOG.warn("{} waits, after {} tries: {}", item, item.tries, again.cause(), again.failure());
        }
    }

    /** Tries the message again after a while, unless it has waited for so long that it is given back, and says whether. */
    private boolean tryLater(Item item, Duration atMost) {
        if (System.nanoTime() - item.takenAt > holdAtMost.toNanos()) {
            giveBack(item);
            return false;
        }
        int tries = item.tries + 1;
        item.tries = tries;
        Duration delay = backoff.after(tries);
        later(item, delay.compareTo(atMost) < 0 ? delay : atMost, () -> offer(item));
        return true;
    }

    private void bury(Item item, MessageVerdict.Dead dead) {
        LOG.warn("{} goes to the dead letters: {} {} {}", item, dead.reason(), dead.type(), dead.message());
        send(item, dead, 1);
    }

    private void send(Item item, MessageVerdict.Dead dead, int tries) {
        if (stopped || !item.channel.isOpen()) {
            finish(item);
            return;
        }
        DeadLetter<Delivery> letter = DeadLetter.of(item.message, operation, item.key.digest(), dead);
        try {
            CompletableFuture.supplyAsync(() -> deadLetters.send(letter), answers)
                    .thenCompose(sent -> sent)
                    .whenComplete((sent, failure) -> {
                        if (failure == null) {
                            acknowledge(item);
                        } else {
                            LOG.warn("{} could not be sent to the dead letters, and will be sent again", item, failure);
                            // It is not given back meanwhile: nothing may be stored that says that it is dead.
                            later(item, backoff.after(tries), () -> send(item, dead, tries + 1));
                        }
                    });
        } catch (RejectedExecutionException closed) {
            finish(item);
        }
    }

    private void later(Item item, Duration delay, Runnable work) {
        item.waiting = true;
        CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    item.waiting = false;
                    work.run();
                });
    }

    private interface Answer {
        void send(long tag) throws IOException;
    }

    private void acknowledge(Item item) {
        answer(item, tag -> item.channel.basicAck(tag, false));
    }

    private void giveBack(Item item) {
        answer(item, tag -> item.channel.basicNack(tag, false, true));
    }

    /** What cannot be answered is delivered again, and finds its key. */
    private void answer(Item item, Answer answer) {
        try {
            answers.execute(() -> {
                try {
                    answer.send(item.message.getEnvelope().getDeliveryTag());
                } catch (IOException | AlreadyClosedException e) {
                    LOG.info("{} could not be answered, and will be delivered again", item, e);
                } finally {
                    finish(item);
                }
            });
        } catch (RejectedExecutionException closed) {
            finish(item);
        }
    }

    private void finish(Item item) {
        items.remove(item);
        item.finished.complete(null);
    }
}
