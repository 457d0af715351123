package dev.semel.jdbc.epoch;

import org.jspecify.annotations.Nullable;

/**
 * How far a database has come, as its row says or as a node remembers it.
 *
 * @param number of the epoch; an operator who acknowledges a loss begins the next
 * @param beat how often a node has written since the epoch began
 */
public record Epoch(long number, long beat) {

    /** Whether a database that is here has forgotten something that another one, or a memory, knows. */
    boolean isBefore(Epoch other) {
        return number < other.number || (number == other.number && beat < other.beat);
    }

    Epoch next() {
        return new Epoch(number, beat + 1);
    }

    static Epoch later(Epoch one, @Nullable Epoch other) {
        return other != null && one.isBefore(other) ? other : one;
    }
}
