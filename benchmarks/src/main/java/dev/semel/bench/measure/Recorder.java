package dev.semel.bench.measure;

import java.util.Arrays;
import java.util.List;

/** Collects the latencies of one caller. */
final class Recorder {

    private long[] nanos = new long[1024];
    private int count;
    private long all;

    /** How long the operation took that ended after the deadline, and by how much it was late. */
    private long late;

    private long overtime;

    void add(long started, long ended, long deadline) {
        all++;
        if (ended - deadline > 0) {
            late = ended - started;
            overtime = ended - deadline;
            return;
        }
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, count * 2);
        }
        nanos[count++] = ended - started;
    }

    /** A measurement in which nothing ended in time lasts until all that had begun has ended. */
    static Sample merge(List<Recorder> recorders, double seconds) {
        int total = recorders.stream().mapToInt(recorder -> recorder.count).sum();
        long all = recorders.stream().mapToLong(recorder -> recorder.all).sum();
        if (total == 0 && all > 0) {
            long longest = recorders.stream()
                    .mapToLong(recorder -> recorder.overtime)
                    .max()
                    .orElseThrow();
            long[] ended = recorders.stream()
                    .filter(recorder -> recorder.all > 0)
                    .mapToLong(recorder -> recorder.late)
                    .toArray();
            return Sample.of(all, seconds + longest / 1e9, ended);
        }
        long[] merged = new long[total];
        int next = 0;
        for (Recorder recorder : recorders) {
            System.arraycopy(recorder.nanos, 0, merged, next, recorder.count);
            next += recorder.count;
        }
        return Sample.of(all, seconds, merged);
    }
}
