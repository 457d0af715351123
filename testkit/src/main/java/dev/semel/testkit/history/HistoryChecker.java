package dev.semel.testkit.history;

import dev.semel.Key;
import dev.semel.policy.Recovery;
import dev.semel.testkit.history.History.Event;
import dev.semel.testkit.history.History.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Finds broken guarantees in a {@link History}, by comparing the answers to clients with the effects in a ledger.
 *
 * <p>It assumes that every run of an operation that reaches its effect notes it in the ledger, and that no key expires
 * while the history is recorded.
 */
public final class HistoryChecker {

    private final Predicate<Key> mayRunAgain;
    private final boolean transactional;

    private HistoryChecker(Predicate<Key> mayRunAgain, boolean transactional) {
        this.mayRunAgain = mayRunAgain;
        this.transactional = transactional;
    }

    /** For operations whose effects are outside the store's database: only {@code RE_EXECUTE} allows a second one. */
    public static HistoryChecker ofExternalEffects(Recovery recovery) {
        return ofExternalEffects(key -> recovery == Recovery.RE_EXECUTE);
    }

    /** Creates a checker for operations with effects outside the database; some of them may allow a second run. */
    public static HistoryChecker ofExternalEffects(Predicate<Key> mayRunAgain) {
        return new HistoryChecker(mayRunAgain, false);
    }

    /** For operations whose effects are committed together with their outcome: there is at most one. */
    public static HistoryChecker ofTransactions() {
        return new HistoryChecker(key -> true, true);
    }

    /** The broken guarantees, at most one violation of each per key, with the shortest story that shows it. */
    public List<Violation> check(List<Event> events, Collection<Effect> ledger) {
        return check(events, List.of(), ledger);
    }

    /** The broken guarantees of a history, judged by what happened around its requests as well. */
    public List<Violation> check(List<Event> events, List<Circumstance> circumstances, Collection<Effect> ledger) {
        Surroundings surroundings = new Surroundings(circumstances);
        Collection<RequestStory> requests = requests(events);
        Map<Key, KeyChecker> keys = new LinkedHashMap<>();
        for (RequestStory request : requests) {
            checker(keys, request.start().key(), surroundings).add(request);
        }
        for (Effect effect : ledger) {
            checker(keys, effect.key(), surroundings).add(effect);
        }
        Map<String, List<Key>> byValue = keys.keySet().stream().collect(Collectors.groupingBy(Key::value));
        List<Violation> violations = new ArrayList<>();
        keys.forEach((key, checker) -> violations.addAll(checker.check(
                strangers(key, byValue.getOrDefault(key.value(), List.of()), keys), List.copyOf(requests))));
        violations.sort(Comparator.comparing(Violation::guarantee));
        return violations;
    }

    /** Throws an {@link AssertionError} with the stories if a guarantee was broken. */
    public void assertHolds(List<Event> events, Collection<Effect> ledger) {
        assertHolds(events, List.of(), ledger);
    }

    /** Throws an {@link AssertionError} with the stories if a guarantee was broken, judged with the circumstances. */
    public void assertHolds(List<Event> events, List<Circumstance> circumstances, Collection<Effect> ledger) {
        List<Violation> violations = check(events, circumstances, ledger);
        if (!violations.isEmpty()) {
            throw new AssertionError(violations.size() + " violation(s):\n"
                    + violations.stream().map(Violation::toString).collect(Collectors.joining("\n")));
        }
    }

    private KeyChecker checker(Map<Key, KeyChecker> keys, Key key, Surroundings surroundings) {
        return keys.computeIfAbsent(
                key, any -> new KeyChecker(key, mayRunAgain.test(key), transactional, surroundings));
    }

    private static Collection<RequestStory> requests(List<Event> events) {
        Map<String, RequestStory> requests = new LinkedHashMap<>();
        for (Event event : events) {
            requests.merge(
                    event.request(),
                    new RequestStory(event, null),
                    (begun, end) -> new RequestStory(begun.start(), event));
        }
        for (RequestStory request : requests.values()) {
            if (request.start().kind() != Kind.INVOKE) {
                throw new IllegalArgumentException("request " + request.name() + " does not begin with an invocation");
            }
        }
        return requests.values();
    }

    /** The keys of the same value in other scopes and namespaces. */
    private static List<KeyChecker> strangers(Key key, List<Key> ofSameValue, Map<Key, KeyChecker> keys) {
        return ofSameValue.stream()
                .filter(other -> !other.equals(key))
                .map(keys::get)
                .filter(Objects::nonNull)
                .toList();
    }
}
