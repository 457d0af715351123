package dev.semel.torture.node;

import dev.semel.http.Fields;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.KeySource;
import dev.semel.torture.service.HashedKeys;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The paths of the service that a filter guards: each operation has one of its own. */
record GuardedPaths(HttpGate gate, Map<String, HttpRules> rules) {

    /** What of a body is not a part of its hash: two bodies that differ only there are two requests under one key. */
    private static final String UNHASHED = "/more";

    static GuardedPaths of(SemelSystem system) {
        HttpGate gate =
                HttpGate.builder(system.semel()).statusPath("/operations").build();
        Map<String, HttpRules> rules = new HashMap<>();
        for (Operation operation : system.policies().keySet()) {
            String path = "/" + operation.name().toLowerCase(Locale.ROOT);
            rules.put(path, rules(operation, system, KeySource.header()));
            rules.put(path + "/json", rules(operation, system, new KeySource.BodyPointer("/key")));
            rules.put(
                    path + "/hash",
                    rules(operation, system, KeySource.bodyHash(HashedKeys.secret(), Fields.allBut(UNHASHED))));
            rules.put(
                    path + "/natural",
                    rules(
                            operation,
                            system,
                            KeySource.natural(head ->
                                    head.headers().lines(ServiceRequest.OWN_KEY).get(0))));
        }
        rules.values().forEach(gate::validate);
        return new GuardedPaths(gate, rules);
    }

    private static HttpRules rules(Operation operation, SemelSystem system, KeySource keys) {
        HttpRules.Builder rules = HttpRules.builder(
                        Objects.requireNonNull(system.policies().get(operation)))
                .keySource(keys)
                .fields(system.release().fields())
                .maxPreferredWait(system.release().longWait())
                .respondAsync(!operation.isTransactional())
                .publishExpiry(true);
        return (operation.isTransactional() ? rules.transactions(Objects.requireNonNull(system.transactions())) : rules)
                .build();
    }

    @Nullable
    HttpRules find(String path) {
        return rules.get(path);
    }
}
