package dev.semel.torture;

import dev.semel.Key;
import dev.semel.testkit.history.Effect;
import dev.semel.testkit.history.Guarantee;
import dev.semel.testkit.history.History.ClientAnswer;
import dev.semel.testkit.history.History.Event;
import dev.semel.testkit.history.Violation;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** What the judge has found. */
final class Findings {

    private final List<Violation> violations = new ArrayList<>();
    private final Map<Guarantee, Map<Operation, Long>> counts = new EnumMap<>(Guarantee.class);
    private final List<String> leftovers = new ArrayList<>();
    private long keys;
    private long effects;
    private long announcedRuns;
    private long doubleEffects;
    private long divergentReplays;

    void add(Operation operation, List<Violation> found) {
        violations.addAll(found);
        for (Violation violation : found) {
            counts.computeIfAbsent(violation.guarantee(), any -> new EnumMap<>(Operation.class))
                    .merge(operation, 1L, Long::sum);
        }
    }

    void countKeys(List<Event> events, List<Effect> done, long doubles) {
        Map<Key, String> payloads = new HashMap<>();
        Set<Key> divergent = new HashSet<>();
        Set<Key> asked = new HashSet<>();
        for (Event event : events) {
            asked.add(event.key());
            String payload = event.payload();
            if (payload != null
                    && (event.answer() == ClientAnswer.EXECUTED || event.answer() == ClientAnswer.REPLAYED)) {
                String before = payloads.putIfAbsent(event.key(), payload);
                if (before != null && !Objects.equals(before, payload)) {
                    divergent.add(event.key());
                }
            }
        }
        keys += asked.size();
        effects += done.size();
        announcedRuns += done.stream().filter(effect -> effect.attempt() > 1).count();
        doubleEffects += doubles;
        divergentReplays += divergent.size();
    }

    /** Something that is still pending although everything is healed and quiet. */
    void addLeftover(String what) {
        leftovers.add(what);
    }

    List<String> leftovers() {
        return leftovers;
    }

    boolean isClean() {
        return violations.isEmpty() && doubleEffects == 0 && divergentReplays == 0 && leftovers.isEmpty();
    }

    long violations(Guarantee guarantee) {
        return counts.getOrDefault(guarantee, Map.of()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    long keys() {
        return keys;
    }

    long effects() {
        return effects;
    }

    /** Effects of second runs that carried a higher attempt number. */
    long announcedRuns() {
        return announcedRuns;
    }

    long doubleEffects() {
        return doubleEffects;
    }

    long divergentReplays() {
        return divergentReplays;
    }

    /** Outcomes that were given and are not there any more, or never were. */
    long lostOutcomes() {
        return violations.stream()
                .filter(violation -> violation.guarantee() == Guarantee.G4
                        || violation.what().contains("was not given it"))
                .count();
    }

    /** Keys under which a request was given the outcome of a different one. */
    long wronglyReplayed() {
        return violations.stream()
                .filter(violation -> violation.what().contains("of a different one"))
                .count();
    }

    long leaks() {
        return violations(Guarantee.G6);
    }

    /** All violations, the shortest story first. */
    List<Violation> stories() {
        return violations.stream()
                .sorted(Comparator.comparingInt(violation -> violation.story().size()))
                .toList();
    }

    /** The violation with the fewest events. */
    Optional<Violation> shortestStory() {
        return stories().stream().findFirst();
    }
}
