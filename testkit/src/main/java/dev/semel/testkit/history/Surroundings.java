package dev.semel.testkit.history;

import dev.semel.Key;
import dev.semel.testkit.history.Circumstance.Calm;
import dev.semel.testkit.history.Circumstance.Decided;
import dev.semel.testkit.history.Circumstance.Deployed;
import dev.semel.testkit.history.Circumstance.Ended;
import dev.semel.testkit.history.Circumstance.Freed;
import dev.semel.testkit.history.Circumstance.Held;
import dev.semel.testkit.history.Circumstance.Lapsed;
import dev.semel.testkit.history.Circumstance.Nested;
import dev.semel.testkit.history.Circumstance.Waited;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The circumstances of a history, to be asked. A long history has many, so they are found by key or by request. */
final class Surroundings {

    private final Map<Key, Set<String>> results = new HashMap<>();
    private final Map<Key, List<Decided>> decisions = new HashMap<>();
    private final Map<Key, List<Freed>> freed = new HashMap<>();
    private final Map<Key, Set<Key>> parents = new HashMap<>();
    private final Map<String, List<Circumstance>> harms = new HashMap<>();
    private final List<Held> held = new ArrayList<>();
    private final List<Deployed> deploys = new ArrayList<>();
    private final List<Calm> calms = new ArrayList<>();

    /** Whether the history says with what operations ended by themselves. */
    private final boolean knowsResults;

    Surroundings(List<Circumstance> circumstances) {
        circumstances.forEach(this::add);
        this.knowsResults = circumstances.stream().anyMatch(Ended.class::isInstance);
    }

    private void add(Circumstance circumstance) {
        if (circumstance instanceof Ended ended) {
            results.computeIfAbsent(ended.key(), any -> new HashSet<>()).add(ended.payload());
        } else if (circumstance instanceof Decided decided) {
            decisions.computeIfAbsent(decided.key(), any -> new ArrayList<>()).add(decided);
        } else if (circumstance instanceof Nested nested) {
            parents.computeIfAbsent(nested.child(), any -> new HashSet<>()).add(nested.parent());
        } else if (circumstance instanceof Held one) {
            held.add(one);
        } else if (circumstance instanceof Freed one) {
            freed.computeIfAbsent(one.key(), any -> new ArrayList<>()).add(one);
        } else if (circumstance instanceof Lapsed lapsed) {
            harms.computeIfAbsent(lapsed.request(), any -> new ArrayList<>()).add(lapsed);
        } else if (circumstance instanceof Waited waited) {
            harms.computeIfAbsent(waited.request(), any -> new ArrayList<>()).add(waited);
        } else if (circumstance instanceof Deployed deployed) {
            deploys.add(deployed);
        } else if (circumstance instanceof Calm calm) {
            calms.add(calm);
        }
    }

    /** Whether the key may have this outcome: its operation ended with it, or a person rightly decided on it. */
    boolean explain(Key key, String payload) {
        return !knowsResults
                || results.getOrDefault(key, Set.of()).contains(payload)
                || decisions(key).anyMatch(decided -> payload.equals(decided.payload()));
    }

    /** The keys whose operations pass on the outcome of this one. */
    Set<Key> parents(Key child) {
        return parents.getOrDefault(child, Set.of());
    }

    /** When the request's lease lapsed, or it waited, although nothing was wrong with it. */
    List<Circumstance> harms(RequestStory request) {
        return harms.getOrDefault(request.name(), List.of());
    }

    /** Whether a person decided on an outcome of the key. */
    boolean isDecided(Key key) {
        return decisions(key).anyMatch(decided -> decided.payload() != null);
    }

    private Stream<Decided> decisions(Key key) {
        return decisions.getOrDefault(key, List.of()).stream();
    }

    /** That a person rightly said, after the first of two requests was sent, that nothing was executed. */
    Optional<Decided> freedBetween(RequestStory one, RequestStory other) {
        int from = Math.min(one.start().number(), other.start().number());
        return decisions(one.start().key())
                .filter(decided -> decided.payload() == null && decided.number() > from)
                .findFirst();
    }

    /** Whether the key's row was held, or a person decided about the key, at some moment of the request. */
    boolean isTouchedDuring(RequestStory request) {
        Key key = request.start().key();
        return heldDuring(request).anyMatch(one -> one.key().equals(key))
                || decisions(key)
                        .anyMatch(decided ->
                                decided.number() > request.start().number() && decided.number() < endOf(request));
    }

    /** Which rows were held at some moment of the request. */
    Stream<Held> heldDuring(RequestStory request) {
        return held.stream()
                .filter(one -> one.number() < endOf(request)
                        && freedAfter(one) > request.start().number());
    }

    private static int endOf(RequestStory request) {
        return request.end() == null ? Integer.MAX_VALUE : request.end().number();
    }

    private int freedAfter(Held one) {
        return freed.getOrDefault(one.key(), List.of()).stream()
                .mapToInt(Freed::number)
                .filter(number -> number > one.number())
                .findFirst()
                .orElse(Integer.MAX_VALUE);
    }

    boolean haveDeploys() {
        return !deploys.isEmpty();
    }

    Optional<Deployed> deployedBetween(RequestStory one, RequestStory other) {
        int from = Math.min(one.start().number(), other.start().number());
        int to = Math.max(one.start().number(), other.start().number());
        return deploys.stream()
                .filter(deployed -> deployed.number() > from && deployed.number() < to)
                .findFirst();
    }

    Optional<Calm> calmBefore(RequestStory request) {
        return calms.stream()
                .filter(calm -> calm.number() < request.start().number())
                .findFirst();
    }
}
