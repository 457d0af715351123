package dev.semel.micrometer;

import dev.semel.Outcome;
import dev.semel.observe.SemelEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.LongStream;

/** The meters of one operation, all registered at once: a rate that begins at zero shows its first increment. */
final class OperationMeters {

    private static final Duration[] BUCKETS = LongStream.of(
                    1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private static final String WAIT = "How long duplicates waited for their answer";

    private final MeterRegistry registry;
    private final Tags tags;
    private final Counter miss;
    private final ByResult<Counter> hit;
    private final Counter pendingTimeout;
    /** The counters of events. */
    private final Map<Class<? extends SemelEvent>, Counter> counted = new HashMap<>();

    private final Counter withoutKey;
    private final AtomicLong lastWithoutKey = new AtomicLong();
    final Counter freshKeyRetries;
    final Counter retryAfterIgnored;
    private final Timer claim;
    private final ByResult<Timer> run;
    private final ByResult<Timer> settle;
    private final ByResult<Timer> wait;
    private final Timer waitTimedOut;

    OperationMeters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
        miss = counter("miss", "Keys claimed for the first time: operations that ran");
        pendingTimeout = counter("pending_timeout", "Duplicates that waited until their limit");
        count(SemelEvent.InFlight.class, "in_flight", "Duplicates that got in flight");
        count(SemelEvent.Mismatched.class, "mismatch", "Requests whose key belongs to another request");
        count(SemelEvent.Expired.class, "expired", "Requests whose key has expired");
        count(SemelEvent.Released.class, "released", "Keys released because the operation did not execute");
        count(SemelEvent.Lapsed.class, "lapsed", "Keys whose owner died, found by maintenance");
        count(SemelEvent.TakenOver.class, "taken_over", "Lapsed keys that a new attempt took over");
        count(SemelEvent.FencedOff.class, "fenced", "Writes of attempts that had lost their lease");
        Counter unknown = counter("unknown", "Attempts given up, and requests answered, with an unknown outcome");
        counted.put(SemelEvent.Unknown.class, unknown);
        counted.put(SemelEvent.Abandoned.class, unknown);
        count(
                SemelEvent.SettleFailed.class,
                "settle_failed",
                "Operations that ran but whose outcome could not be stored");
        String unprotected = "Requests that ran without protection: no key, or the store was down";
        counted.put(SemelEvent.Unprotected.class, counter("unprotected", "store_down", unprotected));
        withoutKey = counter("unprotected", "no_key", unprotected);
        TimeGauge.builder("idempotency.unprotected.last", lastWithoutKey::get, TimeUnit.MILLISECONDS)
                .description("When a request without a key came last, in seconds since 1970; 0 if none has")
                .tags(tags.and("outcome", "no_key"))
                .register(registry);
        freshKeyRetries = counter("fresh_key_retries", "Requests repeated under a new key shortly after");
        retryAfterIgnored = counter("retry_after_ignored", "Retries that came earlier than Retry-After");
        claim = timer("claim", "acquired", "How long the store needed to claim a key");
        hit = byResult(outcome -> counter("hit", outcome, "Duplicates that got the stored outcome"));
        run = byResult(outcome -> timer("run", outcome, "How long operations ran"));
        settle = byResult(outcome -> timer("settle", outcome, "How long the store needed to store an outcome"));
        wait = byResult(outcome -> timer("wait", outcome, WAIT));
        waitTimedOut = timer("wait", "timed_out", WAIT);
    }

    private void count(Class<? extends SemelEvent> event, String name, String description) {
        counted.put(event, counter(name, description));
    }

    private record ByResult<M>(M succeeded, M failed) {

        private M of(Outcome.Result result) {
            return result == Outcome.Result.SUCCEEDED ? succeeded : failed;
        }
    }

    private static <M> ByResult<M> byResult(Function<String, M> meter) {
        return new ByResult<>(meter.apply("succeeded"), meter.apply("failed"));
    }

    private Counter counter(String name, String description) {
        return counter(name, tags, description);
    }

    private Counter counter(String name, String outcome, String description) {
        return counter(name, tags.and("outcome", outcome), description);
    }

    private Counter counter(String name, Tags tagged, String description) {
        return Counter.builder("idempotency." + name)
                .description(description)
                .tags(tagged)
                .register(registry);
    }

    private Timer timer(String name, String outcome, String description) {
        return Timer.builder("idempotency." + name)
                .description(description)
                .tags(tags.and("outcome", outcome))
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    /** A request without a key ran. */
    void withoutKey() {
        withoutKey.increment();
        lastWithoutKey.set(System.currentTimeMillis());
    }

    /** A request ran in shadow mode, and this was found. */
    void shadowed(String finding) {
        counter("shadow", finding, "Findings about requests that ran in shadow mode")
                .increment();
    }

    void on(SemelEvent.OfKey event) {
        if (event instanceof SemelEvent.Claimed claimed) {
            if (claimed.attempt() == 1) {
                miss.increment();
            }
            record(claim, claimed.took());
        } else if (event instanceof SemelEvent.Settled settled) {
            record(run.of(settled.result()), settled.ran());
            record(settle.of(settled.result()), settled.took());
        } else if (event instanceof SemelEvent.Replayed replayed) {
            hit.of(replayed.result()).increment();
            record(wait.of(replayed.result()), replayed.waited());
        } else if (event instanceof SemelEvent.WaitTimedOut timedOut) {
            pendingTimeout.increment();
            record(waitTimedOut, timedOut.waited());
        } else {
            Counter counter = counted.get(event.getClass());
            if (counter != null) {
                counter.increment();
            }
        }
    }

    private static void record(Timer timer, Duration duration) {
        timer.record(duration.toNanos(), TimeUnit.NANOSECONDS);
    }
}
