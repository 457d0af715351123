package dev.semel.gateway.stats;

import dev.semel.gateway.stats.Counters.Count;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the upstream answers: it does not when some requests in a row have failed and none was answered in between. Any
 * response is an answer, also one with an error.
 */
public final class UpstreamHealth {

    private static final Logger log = LoggerFactory.getLogger(UpstreamHealth.class);

    /** What the upstream does; that too many wait for it, or that a request cannot be written, says nothing about it. */
    public static final Set<Count> BLAMES_UPSTREAM =
            EnumSet.of(Count.UPSTREAM_UNREACHABLE, Count.UPSTREAM_INTERRUPTED, Count.UPSTREAM_SILENT);

    /** Fewer may be the fault of a request. */
    private static final int IN_A_ROW = 3;

    private final String upstream;
    private final Clock clock;
    private final AtomicReference<@Nullable Outage> outage = new AtomicReference<>();

    /** @param upstream where it is, for the log */
    public UpstreamHealth(String upstream, Clock clock) {
        this.upstream = upstream;
        this.clock = clock;
    }

    /**
     * Requests that failed, one after the other.
     *
     * @param reason why the last of them failed
     */
    public record Outage(Instant since, int requests, Count reason) {

        boolean counts() {
            return requests >= IN_A_ROW;
        }

        public String reasonInWords() {
            return reason.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    public void failed(Count reason) {
        Outage now = outage.updateAndGet(before -> before == null
                ? new Outage(clock.instant(), 1, reason)
                : new Outage(before.since(), before.requests() + 1, reason));
        if (now != null && now.requests() == IN_A_ROW) {
            log.error(
                    "event=upstream_down since={} upstream={} cause=\"{}\"",
                    now.since(),
                    upstream,
                    now.reasonInWords());
        }
    }

    public void answered() {
        if (outage.get() == null) {
            return;
        }
        Outage ended = outage.getAndSet(null);
        if (ended != null && ended.counts()) {
            Instant now = clock.instant();
            log.warn(
                    "event=upstream_up since={} upstream={} down_for={} failed_requests={}",
                    now,
                    upstream,
                    Duration.between(ended.since(), now),
                    ended.requests());
        }
    }

    /** The current problem; {@code null} if the upstream answers. */
    public @Nullable Outage outage() {
        Outage current = outage.get();
        return current == null || !current.counts() ? null : current;
    }
}
