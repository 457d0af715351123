package dev.semel.kafka;

import dev.semel.Key;
import dev.semel.messaging.DeadLetter;
import dev.semel.messaging.HandlerChain;
import dev.semel.messaging.MessageVerdict;
import dev.semel.messaging.Turn;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of one partition, from when they were polled until their offsets can be committed.
 *
 * <p>Records are added and committed by the thread that polls, and settled by any other. Nothing is called while the lock
 * is held.
 */
final class PartitionLane<K, V> {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionLane.class);
    private static final int WARN_AFTER_TRIES = 5;

    private final LaneRules<K, V> rules;
    private final Deque<PendingRecord<K, V>> entries = new ArrayDeque<>();
    private int inFlight;
    private int waiting;
    private int window;
    private final TransactionSize transaction;
    private final @Nullable HandlerChain chain;
    private boolean closed;

    PartitionLane(LaneRules<K, V> rules) {
        this.rules = rules;
        this.window = rules.firstWindow();
        this.transaction = new TransactionSize(rules.inFlight());
        this.chain = rules.ordered() ? new HandlerChain() : null;
    }

    void add(List<PendingRecord<K, V>> polled) {
        synchronized (this) {
            entries.addAll(polled);
        }
        advance();
    }

    /** Whether no more records should be polled for now. */
    synchronized boolean isFull() {
        return entries.size() >= rules.buffer() || (rules.ordered() && waiting > 0);
    }

    synchronized boolean isIdle() {
        return entries.isEmpty();
    }

    /** Forgets the records at the front that are settled, and returns where the partition is to be read on. */
    synchronized @Nullable OffsetAndMetadata settledUpTo() {
        OffsetAndMetadata next = null;
        for (PendingRecord<K, V> head = entries.peek(); head != null && head.settled; head = entries.peek()) {
            next = head.next();
            entries.remove();
        }
        return next;
    }

    /**
     * Starts nothing more, and gives back keys that were claimed ahead; what is returned completes when the handlers that
     * are running have ended.
     */
    CompletableFuture<Void> close() {
        List<CompletableFuture<Void>> turns = new ArrayList<>();
        List<CompletableFuture<Void>> running = new ArrayList<>();
        synchronized (this) {
            closed = true;
            for (PendingRecord<K, V> entry : entries) {
                if (entry.started && !entry.settled && !entry.waiting) {
                    turns.add(entry.turn);
                    running.add(entry.finished);
                }
            }
        }
        turns.forEach(PartitionLane::recall);
        return CompletableFuture.allOf(running.toArray(CompletableFuture[]::new));
    }

    /** Has no effect if the turn has come. Not given a record, which may have got another turn since. */
    private static void recall(CompletableFuture<Void> turn) {
        turn.completeExceptionally(Turn.notYet());
    }

    private void advance() {
        List<PendingRecord<K, V>> together = nextTogether();
        if (together.isEmpty()) {
            advanceOneByOne();
        } else {
            offerTogether(together);
        }
    }

    /** Takes records from the front that can share a transaction, if nothing is under way; fewer than two are none. */
    private synchronized List<PendingRecord<K, V>> nextTogether() {
        List<PendingRecord<K, V>> together = new ArrayList<>();
        if (closed || inFlight > 0 || !rules.sharesTransactions()) {
            return together;
        }
        Set<Key> keys = new HashSet<>();
        for (PendingRecord<K, V> entry : entries) {
            if (entry.settled) {
                continue;
            }
            if (together.size() == transaction.size() || entry.keyed() == null || !keys.add(entry.key())) {
                break;
            }
            together.add(entry);
        }
        if (together.size() < 2) {
            return List.of();
        }
        together.forEach(entry -> entry.started = true);
        inFlight = together.size();
        return together;
    }

    private void offerTogether(List<PendingRecord<K, V>> together) {
        long startedAt = System.nanoTime();
        rules.guard()
                .offerTogether(
                        together.stream().map(PendingRecord::keyed).toList(),
                        () -> !isClosed() && TransactionSize.hasTimeLeft(startedAt))
                .whenComplete((settled, failure) -> {
                    if (failure == null) {
                        endTogether(together, startedAt, settled);
                    } else {
                        rules.broken().accept(failure);
                        together.forEach(entry -> entry.finished.complete(null));
                    }
                });
    }

    private void endTogether(List<PendingRecord<K, V>> together, long startedAt, int settled) {
        boolean ends;
        synchronized (this) {
            inFlight = 0;
            transaction.ended(startedAt, together.size(), settled);
            for (int i = 0; i < together.size(); i++) {
                PendingRecord<K, V> entry = together.get(i);
                entry.settled = i < settled;
                entry.started = entry.settled;
            }
            ends = closed;
        }
        together.subList(0, ends ? together.size() : settled).forEach(entry -> entry.finished.complete(null));
        advance();
    }

    /** Claims keys as far as the window reaches, and lets the next handler run. */
    private void advanceOneByOne() {
        List<PendingRecord<K, V>> toOffer = new ArrayList<>();
        List<CompletableFuture<Void>> turns = new ArrayList<>();
        synchronized (this) {
            boolean refills = inFlight <= rules.refillsAt(window);
            boolean allRanBefore = true;
            for (PendingRecord<K, V> entry : entries) {
                if (entry.settled || entry.ran) {
                    continue;
                }
                if (!entry.started) {
                    // One whose turn it is does not wait for room: those behind it may have the keys, and wait for it.
                    boolean hasRoom = allRanBefore || (refills && inFlight < window);
                    if (closed || !hasRoom) {
                        break;
                    }
                    entry.started = true;
                    inFlight++;
                    toOffer.add(entry);
                }
                if (allRanBefore || !rules.ordered()) {
                    turns.add(entry.turn);
                }
                allRanBefore = false;
            }
        }
        toOffer.forEach(this::offer);
        if (!isClosed()) {
            turns.forEach(turn -> turn.complete(null));
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private void offer(PendingRecord<K, V> entry) {
        entry.offer(rules, () -> ran(entry), chain).whenComplete((verdict, failure) -> {
            if (failure == null) {
                apply(entry, verdict);
            } else {
                rules.broken().accept(failure);
                entry.finished.complete(null);
            }
        });
    }

    private void apply(PendingRecord<K, V> entry, MessageVerdict verdict) {
        if (verdict instanceof MessageVerdict.Settled settled) {
            settled(entry, settled.executed());
        } else if (verdict instanceof MessageVerdict.Dead dead) {
            bury(entry, dead);
        } else if (verdict instanceof MessageVerdict.Again again) {
            again(entry, again);
        }
    }

    /** The effects of the next record come after those of this one, whether or not the outcome is stored by then. */
    private void ran(PendingRecord<K, V> entry) {
        synchronized (this) {
            entry.ran = true;
        }
        advance();
    }

    private void settled(PendingRecord<K, V> entry, boolean executed) {
        synchronized (this) {
            entry.settled = true;
            inFlight--;
            if (executed) {
                window = Math.min(rules.largestWindow(), window * 2);
                transaction.settledAlone();
            }
        }
        entry.finished.complete(null);
        advance();
    }

    private void bury(PendingRecord<K, V> entry, MessageVerdict.Dead dead) {
        LOG.warn("{} goes to the dead letters: {} {} {}", entry, dead.reason(), dead.type(), dead.message());
        send(entry, dead);
    }

    private void send(PendingRecord<K, V> entry, MessageVerdict.Dead dead) {
        DeadLetter<ConsumerRecord<byte[], byte[]>> letter =
                DeadLetter.of(entry.raw, rules.operation(), entry.key().digest(), dead);
        try {
            CompletableFuture.supplyAsync(() -> rules.deadLetters().send(letter), rules.executor())
                    .thenCompose(sent -> sent)
                    .whenComplete((sent, failure) -> {
                        if (failure == null) {
                            settled(entry, false);
                        } else {
                            notSent(entry, dead, failure);
                        }
                    });
        } catch (RuntimeException e) {
            notSent(entry, dead, e);
        }
    }

    private void notSent(PendingRecord<K, V> entry, MessageVerdict.Dead dead, Throwable failure) {
        LOG.warn("{} could not be sent to the dead letters and will be sent again", entry, failure);
        synchronized (this) {
            entry.dead = dead;
        }
        pause(entry, rules.backoff().last());
    }

    private void again(PendingRecord<K, V> entry, MessageVerdict.Again again) {
        boolean recalled;
        synchronized (this) {
            recalled = entry.recalled;
        }
        if (recalled) {
            backInLine(entry);
        } else if (again.atMost().isZero()) {
            retry(entry);
        } else if (pause(entry, again.atMost()) && entry.tries % WARN_AFTER_TRIES == 0) {
            LOG.warn("{} waits, after {} tries: {}", entry, entry.tries, again.cause(), again.failure());
        }
    }

    /** The record was claimed ahead of one that has to wait: it is claimed again when that one is settled. */
    private void backInLine(PendingRecord<K, V> entry) {
        synchronized (this) {
            entry.recalled = false;
            entry.started = false;
            entry.ran = false;
            entry.turn = new CompletableFuture<>();
            inFlight--;
            if (closed) {
                entry.finished.complete(null);
            }
        }
        advance();
    }

    /**
     * Tries the record again later, unless the lane is closed; returns whether it will. Meanwhile, those behind it do
     * not sit on
     * keys that another consumer may be waiting for.
     */
    private boolean pause(PendingRecord<K, V> entry, Duration atMost) {
        Duration delay;
        List<CompletableFuture<Void>> claimedAhead = new ArrayList<>();
        synchronized (this) {
            entry.tries++;
            delay = rules.backoff().after(entry.tries);
            delay = delay.compareTo(atMost) < 0 ? delay : atMost;
            if (closed) {
                entry.finished.complete(null);
                return false;
            }
            entry.waiting = true;
            waiting++;
            if (rules.ordered()) {
                window = 1;
                boolean behind = false;
                for (PendingRecord<K, V> each : entries) {
                    if (behind && each.started && !each.ran && !each.settled) {
                        each.recalled = true;
                        claimedAhead.add(each.turn);
                    }
                    behind |= each == entry;
                }
            }
        }
        claimedAhead.forEach(PartitionLane::recall);
        Executor later = CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS);
        later.execute(() -> wake(entry));
        return true;
    }

    private void wake(PendingRecord<K, V> entry) {
        boolean recalled;
        synchronized (this) {
            entry.waiting = false;
            waiting--;
            recalled = entry.recalled;
        }
        if (recalled) {
            backInLine(entry);
        } else {
            retry(entry);
        }
    }

    private void retry(PendingRecord<K, V> entry) {
        MessageVerdict.Dead dead;
        synchronized (this) {
            dead = entry.dead;
        }
        if (isClosed()) {
            entry.finished.complete(null);
        } else if (dead != null) {
            send(entry, dead);
        } else {
            offer(entry);
        }
    }
}
