package dev.semel.micrometer;

import dev.semel.Outcome;
import dev.semel.observe.SemelEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The meters of one operation, all registered at once: a rate that begins at zero shows its first increment. */
final class OperationMeters {

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30)
    };

    private static final String WAIT = "How long duplicates waited for their answer";

    private final MeterRegistry registry;
    private final Tags tags;
    private final Counter miss;
    private final ByResult<Counter> hit;
    private final Counter pendingTimeout;
    private final Counter inFlight;
    private final Counter mismatch;
    private final Counter expired;
    private final Counter released;
    private final Counter lapsed;
    private final Counter takenOver;
    private final Counter fenced;
    private final Counter unknown;
    private final Counter settleFailed;
    private final Counter storeDown;
    final Counter withoutKey;
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
        pendingTimeout = counter("pending_timeout", "Duplicates that waited as long as they may");
        inFlight = counter("in_flight", "Duplicates that were told that the operation is in flight");
        mismatch = counter("mismatch", "Requests whose key belongs to another request");
        expired = counter("expired", "Requests whose key has expired");
        released = counter("released", "Keys released because the operation did not execute");
        lapsed = counter("lapsed", "Keys whose owner died, found by maintenance");
        takenOver = counter("taken_over", "Lapsed keys that a new attempt took over");
        fenced = counter("fenced", "Writes of attempts that had lost their lease");
        unknown = counter("unknown", "Attempts given up, and requests told, because nobody knows what happened");
        settleFailed = counter("settle_failed", "Operations that ran but whose outcome could not be stored");
        String unprotected = "Requests that ran without protection: no key, or the store was down";
        storeDown = counter("unprotected", "store_down", unprotected);
        withoutKey = counter("unprotected", "no_key", unprotected);
        freshKeyRetries = counter("fresh_key_retries", "Requests repeated under a new key shortly after");
        retryAfterIgnored = counter("retry_after_ignored", "Retries that came earlier than they were told to");
        claim = timer("claim", "acquired", "How long the store needed to claim a key");
        hit = byResult(outcome -> counter("hit", outcome, "Duplicates that got the stored outcome"));
        run = byResult(outcome -> timer("run", outcome, "How long operations ran"));
        settle = byResult(outcome -> timer("settle", outcome, "How long the store needed to store an outcome"));
        wait = byResult(outcome -> timer("wait", outcome, WAIT));
        waitTimedOut = timer("wait", "timed_out", WAIT);
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
        return Counter.builder("idempotency." + name)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private Counter counter(String name, String outcome, String description) {
        return Counter.builder("idempotency." + name)
                .description(description)
                .tags(tags.and("outcome", outcome))
                .register(registry);
    }

    private Timer timer(String name, String outcome, String description) {
        return Timer.builder("idempotency." + name)
                .description(description)
                .tags(tags.and("outcome", outcome))
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
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
        } else if (event instanceof SemelEvent.InFlight) {
            inFlight.increment();
        } else if (event instanceof SemelEvent.Mismatched) {
            mismatch.increment();
        } else {
            onUnusual(event);
        }
    }

    private void onUnusual(SemelEvent.OfKey event) {
        if (event instanceof SemelEvent.Released) {
            released.increment();
        } else if (event instanceof SemelEvent.Lapsed) {
            lapsed.increment();
        } else if (event instanceof SemelEvent.TakenOver) {
            takenOver.increment();
        } else if (event instanceof SemelEvent.FencedOff) {
            fenced.increment();
        } else if (event instanceof SemelEvent.Unknown || event instanceof SemelEvent.Abandoned) {
            unknown.increment();
        } else if (event instanceof SemelEvent.SettleFailed) {
            settleFailed.increment();
        } else if (event instanceof SemelEvent.Unprotected) {
            storeDown.increment();
        } else if (event instanceof SemelEvent.Expired) {
            expired.increment();
        }
    }

    private static void record(Timer timer, Duration duration) {
        timer.record(duration.toNanos(), TimeUnit.NANOSECONDS);
    }
}
