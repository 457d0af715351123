package dev.semel.torture.load;

import dev.semel.Key;
import org.jspecify.annotations.Nullable;

/**
 * One of the lives of a key that is forgotten: for as long as it is certainly remembered, or certainly has its tombstone. A client that
 * knows when that ends sends nothing else.
 */
interface Life {

    /** What is before the number of a life in the key under which it is judged. */
    char NUMBER = '#';

    /** The end of the key under which a tombstone is judged. */
    String TOMBSTONE = "-tombstone";

    /** Whether the key belongs to a life in which nothing may run. */
    static boolean isTombstone(Key key) {
        return key.value().endsWith(TOMBSTONE);
    }

    boolean isTombstone();

    /** Begins a request of this life; {@code false} if it is too late for one. */
    boolean begin();

    /**
     * Ends a request.
     *
     * @param inTime whether it had an answer within this life that was not a failure: after any other, something of it may still
     *     come, or it may have claimed the key again
     */
    void end(boolean inTime);

    boolean isOver();

    /** Whether its key is forgotten because a person decides so, and not because time has passed. */
    boolean endsByDecision();

    /** The key under which this life is judged. */
    Key judged();

    /** A client has been given the outcome. */
    void settled();

    /** How many nanoseconds there are until the next life can begin; {@code null} if none can. */
    @Nullable
    Long untilNext();

    Life next();

    int number();
}
