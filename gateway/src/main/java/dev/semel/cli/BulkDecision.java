package dev.semel.cli;

import dev.semel.gateway.triage.Decision;
import dev.semel.gateway.triage.DecisionRequest;
import dev.semel.gateway.triage.FoundKey;
import dev.semel.gateway.triage.KeySearch;
import dev.semel.gateway.triage.OperatorDecisions;
import dev.semel.gateway.triage.OperatorDecisions.Answer;
import dev.semel.gateway.triage.OperatorDecisions.Result;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Shows which keys are about to be decided, asks, and decides them. */
record BulkDecision(Target target, PrintWriter out) {

    private static final int SHOWN = 20;

    /** The person at this machine, as its operating system knows them. */
    static DecisionLog.Person me() {
        return new DecisionLog.Person("cli:" + System.getProperty("user.name", "?"), null);
    }

    /** The source of the keys: a store or a gateway. */
    interface Target {

        KeySearch.Found find(KeyWhere where, int most) throws Exception;

        /** Decides one key after the other, independently: if a later decision fails, the earlier ones stay. */
        List<Answer> decide(List<DecisionRequest> decisions) throws Exception;

        /** The keys of a store. */
        static Target of(KeyStore store) {
            Inspecting inspecting = KeyStore.capability(store, Inspecting.class).orElseThrow();
            return new Target() {
                @Override
                public KeySearch.Found find(KeyWhere where, int most) {
                    return where.find(inspecting, most);
                }

                @Override
                public List<Answer> decide(List<DecisionRequest> decisions) {
                    return new OperatorDecisions(store, Set.of()).decideAll(decisions, me());
                }
            };
        }
    }

    /** Work with many keys, by the clock of their store or gateway. */
    @FunctionalInterface
    interface Work {
        int with(Target target, Instant now) throws Exception;
    }

    /** The keys of a decision about many, as options. */
    static final class Keys {

        @Option(names = "--where", paramLabel = "CONDITIONS", description = KeyWhere.HELP)
        @Nullable
        String where;

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "1000",
                description = "The most keys that --where may find (default: ${DEFAULT-VALUE}).")
        int limit;
    }

    /** Decides all undecided keys that are found in the same way; the exit code. */
    int decideWhere(KeyWhere where, int limit, Decision decision, boolean yes) throws Exception {
        KeySearch.Found found = target.find(where, limit + 1);
        List<FoundKey> undecided =
                found.keys().stream().filter(FoundKey::isResolvable).toList();
        if (undecided.isEmpty()) {
            return nothing("no key that is lapsed or unknown matches");
        }
        if (undecided.size() > limit || !found.complete()) {
            return nothing("more than " + limit + " keys match: narrow --where, or raise --limit");
        }
        List<DecisionRequest> decisions = undecided.stream()
                .map(key -> new DecisionRequest(key.digest(), key.token(), decision))
                .toList();
        preview(undecided, decisions);
        return decide(decisions, yes);
    }

    private int nothing(String why) {
        out.println(why + "; " + KeysCommand.NOTHING_CHANGED);
        out.flush();
        return 1;
    }

    /** Prints the first keys, as a preview. */
    void preview(List<FoundKey> keys, List<DecisionRequest> decisions) {
        for (int i = 0; i < Math.min(SHOWN, keys.size()); i++) {
            FoundKey key = keys.get(i);
            out.printf(
                    "%-32s  %-9s  %-24.24s  %-9s  %s%n",
                    key.digest(),
                    key.json().getString("state"),
                    key.claimedAt(),
                    decisions.get(i).decision().name(),
                    key.key());
        }
        if (keys.size() > SHOWN) {
            out.println("... and " + (keys.size() - SHOWN) + " more");
        }
    }

    /** Decides all of them if the person agrees, and prints the results; returns the exit code. */
    int decide(List<DecisionRequest> decisions, boolean yes) throws Exception {
        if (!yes && !KeysCommand.confirmed(out, "decide " + decisions.size() + " keys?")) {
            return 1;
        }
        Map<Result, Integer> counts = new EnumMap<>(Result.class);
        for (Answer each : target.decide(decisions)) {
            counts.merge(each.result(), 1, Integer::sum);
            if (each.result() != Result.APPLIED) {
                out.println(each.request().digest() + ": " + each.result());
            }
        }
        out.println("decided: " + counts.getOrDefault(Result.APPLIED, 0) + " of " + decisions.size() + " keys");
        if (counts.containsKey(Result.HELD_FIRST)) {
            out.println("keys that were lapsed are held as unknown now: check them again, then repeat this command");
        }
        if (counts.containsKey(Result.PROPOSED)) {
            out.println("what is proposed is applied when a second person decides the same within a day");
        }
        out.flush();
        return counts.getOrDefault(Result.APPLIED, 0) == decisions.size() ? 0 : 1;
    }
}
