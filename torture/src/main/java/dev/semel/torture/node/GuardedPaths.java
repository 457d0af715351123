package dev.semel.torture.node;

import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The paths of the service that a filter guards: each operation has one of its own. */
record GuardedPaths(HttpGate gate, Map<String, HttpRules> rules) {

    static GuardedPaths of(SemelSystem system) {
        HttpGate gate = HttpGate.builder(system.semel()).build();
        Map<String, HttpRules> rules = new HashMap<>();
        for (Operation operation : system.policies().keySet()) {
            HttpRules ofPath = rules(operation, system);
            gate.validate(ofPath);
            rules.put("/" + operation.name().toLowerCase(Locale.ROOT), ofPath);
        }
        return new GuardedPaths(gate, rules);
    }

    private static HttpRules rules(Operation operation, SemelSystem system) {
        HttpRules.Builder rules = HttpRules.builder(
                        Objects.requireNonNull(system.policies().get(operation)))
                .publishExpiry(true);
        return (operation.isTransactional() ? rules.transactions(Objects.requireNonNull(system.transactions())) : rules)
                .build();
    }

    @Nullable
    HttpRules find(String path) {
        return rules.get(path);
    }
}
