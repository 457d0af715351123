package dev.semel.gateway.stats;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether another gateway takes requests: it does not when two probes in a row have failed. */
final class PeerHealth {

    private static final Logger log = LoggerFactory.getLogger(PeerHealth.class);

    /** A single probe may be lost. */
    private static final int IN_A_ROW = 2;

    private final String peer;
    private final Clock clock;
    private final AtomicReference<@Nullable Outage> outage = new AtomicReference<>();

    /** @param peer where it is */
    PeerHealth(String peer, Clock clock) {
        this.peer = peer;
        this.clock = clock;
    }

    /**
     * Probes that failed, one after the other.
     *
     * @param answers whether the last of them was answered: the gateway runs, and is not ready
     * @param cause why the last of them failed
     */
    record Outage(Instant since, int probes, boolean answers, String cause) {

        boolean counts() {
            return probes >= IN_A_ROW;
        }

        String inWords() {
            return answers ? "is not ready" : "does not answer";
        }
    }

    /** A probe got no answer. */
    void silent(String cause) {
        failed(false, cause);
    }

    /** A probe got the answer that the gateway takes no requests. */
    void notReady(String cause) {
        failed(true, cause);
    }

    private void failed(boolean answers, String cause) {
        Outage now = outage.updateAndGet(before -> before == null
                ? new Outage(clock.instant(), 1, answers, cause)
                : new Outage(before.since(), before.probes() + 1, answers, cause));
        if (now != null && now.probes() == IN_A_ROW) {
            log.warn(
                    "event=peer_down since={} peer={} meaning=\"{}\" cause=\"{}\"",
                    now.since(),
                    peer,
                    now.inWords(),
                    now.cause());
        }
    }

    /** A probe got the answer that the gateway takes requests. */
    void ready() {
        Outage ended = outage.getAndSet(null);
        if (ended != null && ended.counts()) {
            Instant now = clock.instant();
            log.warn("event=peer_up since={} peer={} down_for={}", now, peer, Duration.between(ended.since(), now));
        }
    }

    /** Its current problem; {@code null} if it takes requests. */
    Health.@Nullable Problem problem() {
        Outage current = outage.get();
        if (current == null || !current.counts()) {
            return null;
        }
        return new Health.Problem(
                "peer",
                "The gateway " + peer + " " + current.inWords(),
                current.since(),
                current.cause(),
                current.answers()
                        ? "It is stopping, or its store does not answer: requests with a key that reach it may be refused. The"
                                + " other gateways take them if the load balancer checks /ready."
                        : "Requests that reach it fail, and keys whose requests it was running lapse. The other gateways"
                                + " take new requests if the load balancer checks /ready.");
    }
}
