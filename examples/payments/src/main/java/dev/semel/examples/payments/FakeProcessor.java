package dev.semel.examples.payments;

import dev.semel.OutcomeUnknownException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * A stand-in for a payment processor that is slow and loses answers. Its charges are idempotent by key, its refunds are
 * not.
 */
@Component
class FakeProcessor {

    static final class CardDeclinedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final String card;

        CardDeclinedException(String card) {
            super("declined");
            this.card = card;
        }

        String card() {
            return card;
        }
    }

    private static final int TRIES = 5;

    private final Map<String, String> charges = new ConcurrentHashMap<>();
    private final Map<String, String> refunds = new ConcurrentHashMap<>();
    private final AtomicInteger refundsMade = new AtomicInteger();
    private final Queue<Runnable> queued = new ConcurrentLinkedQueue<>();
    private final Duration latency;
    private final Duration longestQueue;
    private volatile double lostAnswers;
    private volatile boolean queueing;

    FakeProcessor(
            @Value("${processor.latency:2s}") Duration latency,
            @Value("${processor.lost-answers:0.3}") double lost,
            @Value("${processor.longest-queue:1m}") Duration longestQueue) {
        this.latency = latency;
        this.lostAnswers = lost;
        this.longestQueue = longestQueue;
    }

    /**
     * Charges a card once per key, and asks again with the same key when an answer was lost. When none comes at all,
     * it is unknown whether the card was charged; the next attempt will find out.
     */
    String charge(String key, String card, int cents) {
        for (int tries = 1; ; tries++) {
            try {
                return request(() -> charges.computeIfAbsent(key, first -> newCharge(card)));
            } catch (IOException e) {
                if (tries == TRIES) {
                    throw new OutcomeUnknownException("the processor did not answer", e);
                }
            }
        }
    }

    private static String newCharge(String card) {
        if (card.endsWith("0000")) {
            throw new CardDeclinedException(card);
        }
        return "ch_" + UUID.randomUUID();
    }

    /** Pays back with every call. */
    String refund(String charge, String reference) throws IOException {
        if (queueing) {
            queueing = false;
            queued.add(() -> payBack(reference));
            throw new IOException("no answer yet");
        }
        return request(() -> payBack(reference));
    }

    private String payBack(String reference) {
        refundsMade.incrementAndGet();
        String refund = "re_" + UUID.randomUUID();
        refunds.put(reference, refund);
        return refund;
    }

    /**
     * The longest time after which a request can still be carried out, after queues and retries in the network and the
     * processor.
     */
    Duration longestQueue() {
        return longestQueue;
    }

    Optional<String> findRefund(String reference) {
        return Optional.ofNullable(refunds.get(reference));
    }

    private interface Work {
        String run();
    }

    /** Does the work first and loses the answer then, which is the hard case. */
    private String request(Work work) throws IOException {
        LockSupport.parkNanos(latency.toNanos());
        String answer = work.run();
        if (ThreadLocalRandom.current().nextDouble() < lostAnswers) {
            throw new IOException("connection reset");
        }
        return answer;
    }

    /** The next refund is queued somewhere, and its caller gets no answer. */
    void queueNextRefund() {
        queueing = true;
    }

    void doWhatIsQueued() {
        for (Runnable next = queued.poll(); next != null; next = queued.poll()) {
            next.run();
        }
    }

    void dropWhatIsQueued() {
        queued.clear();
    }

    void loseAnswers(double share) {
        lostAnswers = share;
    }

    int chargesMade() {
        return charges.size();
    }

    int refundsMade() {
        return refundsMade.get();
    }
}
