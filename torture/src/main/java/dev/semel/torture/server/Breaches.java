package dev.semel.torture.server;

import dev.semel.Key;
import dev.semel.testkit.history.Guarantee;
import dev.semel.testkit.history.Violation;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the ledger itself has seen broken, with what happened to the key before. */
final class Breaches {

    private final Map<Key, List<String>> stories = new HashMap<>();
    private final Map<Operation, List<Violation>> found = new EnumMap<>(Operation.class);

    synchronized void tell(Key key, String event) {
        stories.computeIfAbsent(key, any -> new ArrayList<>()).add(event);
    }

    synchronized void add(Operation operation, Guarantee guarantee, Key key, String what) {
        found.computeIfAbsent(operation, any -> new ArrayList<>())
                .add(new Violation(guarantee, key, what, List.copyOf(stories.getOrDefault(key, List.of()))));
    }

    synchronized List<Violation> of(Operation operation) {
        return List.copyOf(found.getOrDefault(operation, List.of()));
    }
}
