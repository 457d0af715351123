package dev.semel.spring.operation;

import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** All operations of the application, each with its own name. */
public final class OperationRegistry {

    private final Set<String> reconciled;
    private final Map<String, String> places = new ConcurrentHashMap<>();

    /** @param reconciled the operations that have a reconciler */
    public OperationRegistry(Set<String> reconciled) {
        this.reconciled = reconciled;
    }

    /** Notes an operation; {@code place} is where it is annotated. */
    public void add(Policy policy, String place) {
        String operation = policy.operation();
        String before = places.putIfAbsent(operation, place);
        if (before != null && !before.equals(place)) {
            throw new SemelConfigurationException(
                    "Two operations have the name '" + operation + "': " + before + " and " + place + ".",
                    "Give each its own name: @Idempotent(\"...\").");
        }
        if (policy.recovery() == Recovery.RECONCILE && !reconciled.contains(operation)) {
            throw new SemelConfigurationException(
                    "The operation '" + operation + "' of " + place
                            + " has recovery RECONCILE, but there is no Reconciler bean for it.",
                    "Define a bean of type dev.semel.policy.Reconciler with @Reconciles(\"" + operation
                            + "\"), or choose another recovery.");
        }
    }
}
