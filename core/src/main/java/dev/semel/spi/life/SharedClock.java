package dev.semel.spi.life;

import dev.semel.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * This machine's clock, for stores on an engine whose own clock cannot decide. The clocks of two machines may differ by the skew.
 * Where the engine's answers carry its time, they are compared: while the two differ by more than half of the skew, nothing is
 * claimed, resolved or imported. Two machines that both pass differ by at most the skew.
 *
 * <p>A single answer only gives a rough lower and upper bound of the difference. So a clock that was found to be wrong
 * is good again only when an answer rules out that it still differs as it did.
 *
 * <p>An owner may write while the clock is wrong: the known difference is subtracted. The monotonic clock shows whether
 * the clock has been set since the comparison.
 */
public final class SharedClock {

    private static final Duration MAX_SKEW = Duration.ofMinutes(10);

    /** How long a comparison is good for. */
    private static final Duration FRESH = Duration.ofSeconds(10);

    /** A smaller step of the clock makes no difference to a lease. */
    private static final Duration LEAST_STEP = Duration.ofMillis(50);

    private final String engine;
    private final InstantSource source;
    private final Duration skew;
    private final @Nullable EngineTime engineTime;
    private final AtomicReference<@Nullable Fault> fault = new AtomicReference<>();
    private final AtomicReference<@Nullable Comparison> latest = new AtomicReference<>();

    /** The two clocks when the request was sent whose answer last showed how wrong the clock is. */
    private volatile @Nullable Reading comparedAt;

    /** A clock that is compared with the time in answers, or not at all. */
    public SharedClock(String engine, InstantSource source, Duration skew) {
        this(engine, source, skew, null);
    }

    /**
     * @param engine the name of the engine in messages
     * @param skew the maximum difference between the clocks of two machines
     * @param engineTime the time to compare the clock with periodically; {@code null} for none
     */
    public SharedClock(String engine, InstantSource source, Duration skew, @Nullable EngineTime engineTime) {
        if (skew.isNegative() || skew.compareTo(MAX_SKEW) > 0) {
            throw new IllegalArgumentException("maxClockSkew must be between 0 and " + MAX_SKEW + ", got " + skew);
        }
        this.engine = engine;
        this.source = source;
        this.skew = skew;
        this.engineTime = engineTime;
    }

    /** A reading of this machine's two clocks. */
    private record Reading(Instant wall, long nanos) {

        Duration elapsed() {
            return Duration.ofNanos(System.nanoTime() - nanos);
        }
    }

    /** A comparison that has begun. */
    private record Comparison(Reading begun, CompletableFuture<@Nullable Void> end) {}

    /** The minimum by which the clock was found to be ahead; negative if it was behind. */
    private record Fault(Duration ahead) {}

    public Duration skew() {
        return skew;
    }

    private Reading reading() {
        return new Reading(source.instant(), System.nanoTime());
    }

    /** The present moment, corrected by the last known difference. */
    public Moment moment() {
        Fault found = fault.get();
        Instant wall = source.instant();
        return new Moment(found == null ? wall : wall.minus(found.ahead()), skew);
    }

    /** Whether the clock has run on since it was compared, or was never compared. If not, it was set, or the machine was suspended. */
    boolean isSteady() {
        Reading known = comparedAt;
        return known == null || isSteadySince(known);
    }

    private boolean isSteadySince(Reading known) {
        Duration wall = Duration.between(known.wall(), source.instant());
        Duration step = wall.minus(known.elapsed()).abs();
        return step.compareTo(skew.dividedBy(4)) <= 0 || step.compareTo(LEAST_STEP) <= 0;
    }

    /** The present moment, for a decision that a wrong clock must not make; refused like {@link #requireGood}. */
    public Moment goodMoment() {
        requireGood();
        return moment();
    }

    /** Whether the last answers showed a wrong clock. */
    public boolean isFoundWrong() {
        return fault.get() != null;
    }

    /** Throws a {@link StoreException} if the clock was last seen to be wrong. */
    public void requireGood() {
        Fault found = fault.get();
        if (found != null) {
            throw new StoreException(
                    "the clock of this machine differs from that of " + engine + " by "
                            + found.ahead().abs().toMillis()
                            + " ms, but at most "
                            + allowed().toMillis()
                            + " ms are allowed (half of maxClockSkew): claims are"
                            + " refused, because leases could be taken over too early. Synchronise the clock (NTP), or"
                            + " allow for a larger maxClockSkew on all machines",
                    null);
        }
    }

    /**
     * Completes when the clock has been compared within the last ten seconds, and has not been set since; {@link
     * #requireGood} then checks the result. Fails if the engine did not return its time.
     */
    CompletionStage<@Nullable Void> compared() {
        if (engineTime == null) {
            return CompletableFuture.completedFuture(null);
        }
        Comparison known = latest.get();
        if (known != null && isGood(known)) {
            return known.end();
        }
        Comparison begun = new Comparison(reading(), new CompletableFuture<>());
        if (!latest.compareAndSet(known, begun)) {
            return compared();
        }
        Watch watch = watch();
        engineTime.now().whenComplete((time, failure) -> {
            if (failure != null) {
                begun.end().completeExceptionally(failure);
            } else {
                watch.answered(time, engineTime.resolution());
                begun.end().complete(null);
            }
        });
        return begun.end();
    }

    /** Whether a comparison says something of the present clock. If it was found wrong, it may have been put right since. */
    private boolean isGood(Comparison known) {
        boolean useless = known.end().isDone() && (isFoundWrong() || known.end().isCompletedExceptionally());
        return isSteadySince(known.begun()) && known.begun().elapsed().compareTo(FRESH) < 0 && !useless;
    }

    private Duration allowed() {
        return skew.dividedBy(2);
    }

    /** Watches one request, from now until its answer. Begin before it is sent: a pause in between is not the clock's. */
    public Watch watch() {
        return new Watch(fault.get(), reading());
    }

    /** A request that is under way. */
    public final class Watch {

        private final @Nullable Fault known;
        private final Reading sent;

        private Watch(@Nullable Fault known, Reading sent) {
            this.known = known;
            this.sent = sent;
        }

        /**
         * Compares the clocks.
         *
         * @param answered the engine's time, cut to a multiple of the resolution; it is between sending and receiving
         */
        public void answered(Instant answered, Duration resolution) {
            Duration least = Duration.between(answered.plus(resolution), sent.wall());
            Duration most = Duration.between(answered, source.instant());
            if (least.compareTo(allowed()) > 0) {
                fault.set(new Fault(least));
            } else if (most.negated().compareTo(allowed()) > 0) {
                fault.set(new Fault(most));
            } else if (known != null
                    && (known.ahead().compareTo(least) < 0 || known.ahead().compareTo(most) > 0)) {
                // Unless another call has found the clock wrong since this request was sent.
                fault.compareAndSet(known, null);
            }
            if (sent.elapsed().compareTo(allowed()) <= 0) {
                comparedAt = sent;
            }
        }
    }
}
