package dev.semel.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.messaging.Backoff;
import dev.semel.messaging.MessageGuard;
import dev.semel.messaging.MessageRejectedException;
import dev.semel.messaging.Turn;
import dev.semel.messaging.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Offers messages to their keys, and acknowledges them, or gives them back, as the verdict says. */
final class Inbox {

    private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);

    private final Channel channel;
    private final Executor answers;
    private final MessageGuard<Delivery> guard;
    private final DeadLetters deadLetters;
    private final String operation;
    private final Backoff backoff;
    private final Set<Item> items = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    /**
     * Makes an inbox.
     *
     * @param answers where the channel is written to, which may block, while verdicts come on threads of the store
     */
    Inbox(
            Channel channel,
            Executor answers,
            MessageGuard<Delivery> guard,
            DeadLetters deadLetters,
            String operation,
            Backoff backoff) {
        this.channel = channel;
        this.answers = answers;
        this.guard = guard;
        this.deadLetters = deadLetters;
        this.operation = operation;
        this.backoff = backoff;
    }

    /** A message in our hands. */
    private static final class Item {

        final Delivery message;
        final Key key;
        final Fingerprint fingerprint;
        final CompletableFuture<Void> finished = new CompletableFuture<>();
        volatile @Nullable MessageRejectedException rejection;
        volatile int tries;
        volatile boolean waiting;

        Item(Delivery message, Key key, @Nullable MessageRejectedException rejection) {
            this.message = message;
            this.key = key;
            this.fingerprint = Fingerprint.of(1, message.getBody());
            this.rejection = rejection;
        }

        @Override
        public String toString() {
            return "message " + message.getProperties().getMessageId() + " (key " + key + ")";
        }
    }

    void take(Delivery message, Key key, @Nullable MessageRejectedException rejection) {
        Item item = new Item(message, key, rejection);
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
        if (stopped) {
            finish(item);
            return;
        }
        try {
            MessageRejectedException rejection = item.rejection;
            (rejection == null
                            ? guard.offer(item.key, item.fingerprint, item.message, Turn.NOW)
                            : guard.reject(item.key, item.fingerprint, rejection))
                    .whenComplete((verdict, failure) -> {
                        if (failure == null) {
                            apply(item, verdict);
                        } else {
                            notOffered(item, failure);
                        }
                    });
        } catch (RuntimeException e) {
            notOffered(item, e);
        }
    }

    private void notOffered(Item item, Throwable failure) {
        LOG.error("{} could not be offered to its key, and is given back", item, failure);
        giveBack(item, backoff.last());
    }

    private void apply(Item item, Verdict verdict) {
        if (verdict instanceof Verdict.Settled) {
            acknowledge(item);
        } else if (verdict instanceof Verdict.Dead dead) {
            bury(item, dead);
        } else if (verdict instanceof Verdict.Again again) {
            again(item, again);
        }
    }

    private void again(Item item, Verdict.Again again) {
        if (again.cause() == Verdict.Cause.NOT_EXECUTED) {
            int tries = item.tries + 1;
            item.tries = tries;
            if (guard.isGivenUpAfter(tries)) {
                item.rejection = new MessageRejectedException(
                        "given up after " + tries + " tries, the last: " + again.failure(), again.failure());
                offer(item);
            } else {
                later(item, backoff.after(tries), () -> offer(item));
            }
        } else if (again.atMost().isZero()) {
            offer(item);
        } else {
            LOG.debug("{} is given back: {}", item, again.cause(), again.failure());
            Duration delay = backoff.after(backoffSteps(item));
            giveBack(item, delay.compareTo(again.atMost()) < 0 ? delay : again.atMost());
        }
    }

    /** The broker does not count for classic queues; a message that was delivered before waits a little longer. */
    private static int backoffSteps(Item item) {
        return item.message.getEnvelope().isRedeliver() ? 3 : 1;
    }

    private void bury(Item item, Verdict.Dead dead) {
        LOG.warn("{} goes to the dead letters: {} {} {}", item, dead.reason(), dead.type(), dead.message());
        DeadLetter letter =
                new DeadLetter(item.message, operation, item.key.digest(), dead.reason(), dead.type(), dead.message());
        try {
            CompletableFuture.supplyAsync(() -> deadLetters.send(letter), answers)
                    .thenCompose(sent -> sent)
                    .whenComplete((sent, failure) -> {
                        if (failure == null) {
                            acknowledge(item);
                        } else {
                            notBuried(item, failure);
                        }
                    });
        } catch (RejectedExecutionException closed) {
            finish(item);
        }
    }

    private void notBuried(Item item, Throwable failure) {
        LOG.warn("{} could not be sent to the dead letters, and is given back", item, failure);
        giveBack(item, backoff.last());
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
        answer(item, tag -> channel.basicAck(tag, false));
    }

    /** Not at once: it would come back at once. */
    private void giveBack(Item item, Duration delay) {
        later(item, delay, () -> answer(item, tag -> channel.basicNack(tag, false, true)));
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
