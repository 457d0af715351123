package dev.semel.bench.measure;

import java.util.Arrays;
import java.util.List;

/** Collects the latencies of one caller. */
final class Recorder {

    private long[] nanos = new long[1024];
    private int count;
    private long all;

    void add(long started, long ended, long deadline) {
        all++;
        if (ended - deadline > 0) {
            return;
        }
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, count * 2);
        }
        nanos[count++] = ended - started;
    }

    static Sample merge(List<Recorder> recorders, double seconds) {
        int total = recorders.stream().mapToInt(recorder -> recorder.count).sum();
        long all = recorders.stream().mapToLong(recorder -> recorder.all).sum();
        long[] merged = new long[total];
        int next = 0;
        for (Recorder recorder : recorders) {
            System.arraycopy(recorder.nanos, 0, merged, next, recorder.count);
            next += recorder.count;
        }
        return Sample.of(all, seconds, merged);
    }
}
