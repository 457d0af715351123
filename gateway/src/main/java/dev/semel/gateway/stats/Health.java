package dev.semel.gateway.stats;

import dev.semel.Semel;
import dev.semel.observe.StoreHealth;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The current problems of this node and of the nodes that it watches, since when, and what they mean for callers.
 * Reading it causes no calls.
 */
public record Health(Semel semel, UpstreamHealth upstream, List<PeerProbe> peers) {

    /**
     * A problem.
     *
     * @param part {@code store}, {@code upstream} or {@code peer}
     * @param what the part and its problem
     * @param cause the failure of the last try
     * @param meaning what callers notice
     */
    public record Problem(String part, String what, Instant since, String cause, String meaning) {}

    public boolean isStoreUp() {
        return semel.storeHealth().isUp();
    }

    public List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        StoreHealth store = semel.storeHealth();
        store.downSince()
                .ifPresent(since -> problems.add(new Problem(
                        "store",
                        "The store does not answer",
                        since,
                        store.cause().orElse(""),
                        "Requests with a key get an immediate 503, and nothing runs. Requests without"
                                + " protection pass through. Outcomes of operations that are running are stored when the"
                                + " store is back.")));
        UpstreamHealth.Outage outage = upstream.outage();
        if (outage != null) {
            problems.add(new Problem(
                    "upstream",
                    "The upstream does not answer",
                    outage.since(),
                    outage.reasonInWords() + ", " + outage.requests() + " requests in a row",
                    "Requests are answered with 502 or 504. A key whose request had been sent becomes unknown, or is"
                            + " recovered as its policy says; stored responses are still replayed."));
        }
        for (PeerProbe peer : peers) {
            Problem problem = peer.problem();
            if (problem != null) {
                problems.add(problem);
            }
        }
        return problems;
    }
}
