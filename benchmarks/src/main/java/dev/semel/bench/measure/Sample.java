package dev.semel.bench.measure;

import java.util.Arrays;

/**
 * What one measurement saw.
 *
 * @param inTime operations that ended before the time was up; if none did, it was prolonged until they had ended
 * @param all operations that ended, also after it
 * @param nanos how long each of those in time took, sorted
 */
public record Sample(long inTime, long all, double seconds, long[] nanos) {

    static Sample of(long all, double seconds, long[] unsorted) {
        long[] sorted = unsorted.clone();
        Arrays.sort(sorted);
        return new Sample(sorted.length, all, seconds, sorted);
    }

    public double perSecond() {
        return inTime / seconds;
    }

    /** A quantile of the latencies, in milliseconds; not a number if no operation ended in time. */
    public double millis(double quantile) {
        if (nanos.length == 0) {
            return Double.NaN;
        }
        int rank = (int) Math.ceil(quantile * nanos.length) - 1;
        return nanos[Math.max(0, rank)] / 1e6;
    }
}
