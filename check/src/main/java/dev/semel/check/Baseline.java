package dev.semel.check;

import java.util.List;

/**
 * The plain request, its retry, and the same request under another key. Several cases share these requests, so that
 * they are sent only once.
 */
record Baseline(String key, TrialResponse first, TrialResponse second, TrialResponse otherKey, List<String> exchanges) {

    static final int REQUESTS = 3;

    static Baseline of(Probe probe) {
        String key = probe.newKey();
        TrialResponse first = probe.send(probe.request().key(key));
        if (!first.succeeded()) {
            throw new CannotRunException(
                    "the plain request was not successful (" + first.brief()
                            + "), so there is nothing to compare retries with. Say how to call the operation: method,"
                            + " headers, body, credentials."
                            + (first.body().length == 0 ? "" : " It answered: " + excerpt(first.text())),
                    null);
        }
        TrialResponse second = probe.send(probe.request().key(key));
        TrialResponse other = probe.send(probe.request().key(probe.newKey()));
        return new Baseline(key, first, second, other, probe.exchanges());
    }

    private static String excerpt(String text) {
        return text.length() > 300 ? text.substring(0, 300) + "…" : text;
    }

    /** Whether two operations have different answers, so that the body alone distinguishes a replay from a run. */
    boolean tellsOperationsApart() {
        return !first.sameAs(otherKey);
    }

    /** Whether replays are marked. */
    boolean marks() {
        return second.marked();
    }

    /** Whether nothing in the answer distinguishes a replay from a run. */
    boolean isBlind() {
        return !marks() && !tellsOperationsApart();
    }

    /** Whether these answers to one key can hide a second run: equal ones of which more than one is not marked. */
    boolean canHideARun(List<TrialResponse> replies) {
        long unmarked = replies.stream()
                .filter(reply -> reply.succeeded() && !reply.marked())
                .count();
        return !tellsOperationsApart() && (!marks() || unmarked > 1);
    }

    /** Whether an answer is visibly a stored one. */
    boolean isReplay(TrialResponse reply, TrialResponse of) {
        return reply.marked() || (tellsOperationsApart() && reply.sameAs(of));
    }
}
