package dev.semel.messaging;

import dev.semel.Attempt;
import dev.semel.Key;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The notes of a consumer on messages that must be delivered again, for facts that their keys do not have: how often a
 * message was refused, and what to store under its key. Brokers count deliveries, which are not tries.
 */
final class RetryMemory {

    private static final int MOST_REMEMBERED = 10_000;

    private final int limit;
    private final Map<Key, Note> notes = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Note> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /**
     * A note on one message.
     *
     * @param excused how many attempts ended because something failed around the handler
     * @param end what to store, once the store accepts it
     */
    private record Note(int refused, int excused, @Nullable RuntimeException end) {

        static final Note NONE = new Note(0, 0, null);
    }

    /**
     * Begins to count.
     *
     * @param limit how often a message is tried before it is given up; 0 forever
     */
    RetryMemory(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("the most attempts must not be negative, got " + limit);
        }
        this.limit = limit;
    }

    private Note note(Key key) {
        return notes.getOrDefault(key, Note.NONE);
    }

    /** Counts a try that had no effect. If it was the last one, returns the failure to give up the message with. */
    synchronized @Nullable MessageRejectedException refused(Key key, @Nullable Throwable failure) {
        if (limit == 0) {
            return null;
        }
        Note before = note(key);
        int refused = before.refused() + 1;
        notes.put(key, new Note(refused, before.excused(), before.end()));
        return refused < limit
                ? null
                : new MessageRejectedException("given up after " + refused + " tries, the last: " + failure, null);
    }

    /** Counts an attempt that did not end for a fault of its message. */
    synchronized void excused(Key key) {
        if (limit > 0) {
            Note before = note(key);
            notes.put(key, new Note(before.refused(), before.excused() + 1, before.end()));
        }
    }

    /** From now on the handler is not called for this message. */
    synchronized void end(Key key, RuntimeException with) {
        Note before = note(key);
        notes.put(key, new Note(before.refused(), before.excused(), with));
    }

    synchronized @Nullable RuntimeException end(Key key) {
        return note(key).end();
    }

    synchronized void forget(Key key) {
        notes.remove(key);
    }

    /** An owner that died counts, so that a message that kills its consumers is given up, too. */
    synchronized void check(Attempt attempt) {
        int died = attempt.number() - 1 - note(attempt.key()).excused();
        if (limit > 0 && died >= limit) {
            throw new MessageRejectedException("given up: " + died + " attempts have died", null);
        }
    }
}
