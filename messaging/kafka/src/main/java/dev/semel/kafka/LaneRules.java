package dev.semel.kafka;

import dev.semel.messaging.Backoff;
import dev.semel.messaging.DeadLetters;
import dev.semel.messaging.MessageGuard;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The settings of all lanes of a consumer.
 *
 * @param ordered whether the records of a partition are handled one after the other
 * @param inFlight the most records of a partition whose keys are claimed at once
 * @param executor sends dead letters and reads records again: both may block, and verdicts arrive on threads of the
 *     store
 * @param broken receives failures that no retry can fix
 */
record LaneRules<K, V>(
        MessageGuard<ConsumerRecord<K, V>> guard,
        DeadLetters<ConsumerRecord<byte[], byte[]>> deadLetters,
        String operation,
        boolean ordered,
        int inFlight,
        Backoff backoff,
        Executor executor,
        Consumer<Throwable> broken) {

    /** A key that is claimed ahead of its turn is taken for executed when the process dies, unless it may run again. */
    int largestWindow() {
        return ordered && !guard.claimsAhead() ? 1 : inFlight;
    }

    /** After a crash, the first record is claimed alone: if it was the one that killed the process, only it is blamed. */
    int firstWindow() {
        return ordered ? 1 : inFlight;
    }

    /** How few must be left in flight before more are claimed: in order, they are claimed many at a time. */
    int refillsAt(int window) {
        return ordered ? window / 2 : window;
    }

    /** Records that are handled at the same time have a transaction each. */
    boolean sharesTransactions() {
        return ordered && guard.sharesTransactions();
    }

    int buffer() {
        return 2 * inFlight;
    }
}
