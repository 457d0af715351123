package dev.semel.http.behaviour;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the latest entries in a fixed number of places: a new entry overwrites the old one in its place. Names and
 * values are plain numbers in one array, so that however many requests come, there is no object for the garbage
 * collector to copy and to keep track of.
 */
final class DigestTable {

    /** Enough places that two requests rarely share one. */
    private static final int LOCKS = 64;

    private static final int NAME = 2;

    private final long[] rows;
    private final int places;
    private final int width;
    private final Object[] locks = new Object[LOCKS];

    /**
     * @param places how many there are, a power of two
     * @param values how many numbers are kept in each
     */
    DigestTable(int places, int values) {
        this.places = places;
        this.width = NAME + values;
        this.rows = new long[places * width];
        Arrays.setAll(locks, lock -> new Object());
    }

    /** Puts the values under the name, whose bits are those of a digest, and returns those that were there before. */
    long @Nullable [] put(long high, long low, long... values) {
        int place = place(low);
        int row = place * width;
        synchronized (lock(place)) {
            long[] before = at(row, high, low);
            rows[row] = high;
            rows[row + 1] = low;
            System.arraycopy(values, 0, rows, row + NAME, width - NAME);
            return before;
        }
    }

    long @Nullable [] remove(long high, long low) {
        int place = place(low);
        int row = place * width;
        synchronized (lock(place)) {
            long[] found = at(row, high, low);
            if (found != null) {
                Arrays.fill(rows, row, row + width, 0);
            }
            return found;
        }
    }

    private int place(long low) {
        return (int) low & (places - 1);
    }

    private Object lock(int place) {
        return locks[place & (LOCKS - 1)];
    }

    private long @Nullable [] at(int row, long high, long low) {
        return rows[row] == high && rows[row + 1] == low ? Arrays.copyOfRange(rows, row + NAME, row + width) : null;
    }
}
