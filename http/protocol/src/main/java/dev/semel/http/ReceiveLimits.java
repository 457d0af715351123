package dev.semel.http;

import dev.semel.http.spool.Spool;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** How fast the body of a protected request must arrive. */
public final class ReceiveLimits {

    /** How much of a body has arrived. */
    public enum Received {
        WHOLE,
        /** The body is larger than the spool's limit. */
        TOO_LARGE,
        /** It arrives more slowly than it must. */
        TOO_SLOW
    }

    private static final int CHUNK = 8192;
    private static final Duration LONGEST_GRACE = Duration.ofSeconds(10);
    private static final ReceiveLimits STANDARD = within(Duration.ofMinutes(2), 1024);

    private final Duration deadline;
    private final Duration grace;
    private final long bytesPerSecond;

    private ReceiveLimits(Duration deadline, Duration grace, long bytesPerSecond) {
        this.deadline = deadline;
        this.grace = grace;
        this.bytesPerSecond = bytesPerSecond;
    }

    /** The default: two minutes for the whole body, and after ten seconds an average of 1 KiB per second. */
    public static ReceiveLimits standard() {
        return STANDARD;
    }

    /**
     * A time limit for the whole body, and an average of bytes per second that applies after ten seconds; 0 for any
     * rate.
     */
    public static ReceiveLimits within(Duration deadline, long bytesPerSecond) {
        if (deadline.isZero() || deadline.isNegative() || bytesPerSecond < 0) {
            throw new IllegalArgumentException("a body needs time to arrive, and a rate that is not negative, got "
                    + deadline + " and " + bytesPerSecond + " bytes per second");
        }
        return new ReceiveLimits(deadline, LONGEST_GRACE, bytesPerSecond);
    }

    /** The same, with less time for a body that is slower than the rate. */
    public ReceiveLimits withGrace(Duration shorter) {
        return shorter.compareTo(grace) < 0 ? new ReceiveLimits(deadline, shorter, bytesPerSecond) : this;
    }

    /** How long a whole body may take. */
    public Duration deadline() {
        return deadline;
    }

    /** Whether a body with this many bytes so far arrives too slowly. */
    public boolean isTooSlow(long received, Duration elapsed) {
        return elapsed.compareTo(deadline) > 0
                || (elapsed.compareTo(grace) > 0 && received * 1000 < bytesPerSecond * elapsed.toMillis());
    }

    /**
     * Reads a body into a spool, for adapters whose threads may wait. The rate is checked whenever bytes arrive; the
     * server's own timeout covers a body that does not arrive at all.
     *
     * @param announced the length of the body; negative if it is not known
     */
    public Received receive(InputStream in, long announced, Spool spool) throws IOException {
        // No more than a small body needs: making room for a large one costs more than reading the small one.
        byte[] chunk = new byte[announced < 0 ? CHUNK : (int) Math.max(1, Math.min(announced, CHUNK))];
        long began = System.nanoTime();
        for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
            if (!spool.offer(chunk, 0, n)) {
                return Received.TOO_LARGE;
            }
            if (isTooSlow(spool.size(), Duration.ofNanos(System.nanoTime() - began))) {
                return Received.TOO_SLOW;
            }
        }
        return Received.WHOLE;
    }
}
