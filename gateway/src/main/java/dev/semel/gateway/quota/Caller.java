package dev.semel.gateway.quota;

import dev.semel.gateway.config.CallerLimits;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The current use of one caller. Used under the lock of {@link Quotas} only. */
final class Caller {

    /** A caller with one connection, and so on one event loop, may have this much in flight in any case. */
    private static final int LEAST_PER_LOOP = 16;

    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    final String name;
    private final CallerLimits limits;
    private final int perLoop;
    private final int[] inFlightByLoop;
    int inFlight;
    long buffered;
    long requests;
    long refused;

    @Nullable
    KeptKeys kept;

    private double tokens;
    private long refilledAt;

    Caller(String name, CallerLimits limits, int loops, long now) {
        this.name = name;
        this.limits = limits;
        this.perLoop = Math.max(LEAST_PER_LOOP, (limits.inFlight() + loops - 1) / loops);
        this.inFlightByLoop = new int[loops];
        this.tokens = limits.burst();
        this.refilledAt = now;
    }

    /** Takes one request's share of the rate, and of what may be in flight; or says which of them is used up. */
    @Nullable
    Limit enter(int loop, long now) {
        requests++;
        if (limits.perSecond() > 0) {
            refill(now);
            if (tokens < 1) {
                return Limit.RATE;
            }
            tokens--;
        }
        if (limits.inFlight() > 0 && (inFlight >= limits.inFlight() || inFlightByLoop[loop] >= perLoop)) {
            return Limit.IN_FLIGHT;
        }
        inFlight++;
        inFlightByLoop[loop]++;
        return null;
    }

    void leave(int loop) {
        inFlight--;
        inFlightByLoop[loop]--;
    }

    boolean mayBuffer(long bytes) {
        return limits.buffered() == 0 || buffered + bytes <= limits.buffered();
    }

    private void refill(long now) {
        tokens = Math.min(limits.burst(), tokens + (now - refilledAt) / NANOS * limits.perSecond());
        refilledAt = now;
    }

    /** The number of seconds until the rate allows another request. */
    long secondsToNextRequest() {
        return Math.max(1, (long) Math.ceil((1 - tokens) / limits.perSecond()));
    }

    /** How much of the limit that it is nearest to the caller takes, from 0 to 1. */
    double share(long now, long keys, long bytes, long unknown) {
        double most = 0;
        if (limits.perSecond() > 0) {
            refill(now);
            most = 1 - tokens / limits.burst();
        }
        most = Math.max(most, share(inFlight, limits.inFlight()));
        most = Math.max(most, share(buffered, limits.buffered()));
        most = Math.max(most, share(keys, limits.keys()));
        most = Math.max(most, share(bytes, limits.bytes()));
        return Math.max(most, share(unknown, limits.unknown()));
    }

    private static double share(double used, long limit) {
        return limit == 0 ? 0 : Math.min(1, used / limit);
    }
}
