package dev.semel.torture.broker;

import dev.semel.torture.service.ServiceRequest.Operation;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** The queue, or topic, of one operation and one caller: a consumer has one policy and one scope. */
public record MessageQueue(Operation operation, String scope) {

    /** Where all dead letters go. */
    public static final String DEAD = "dead";

    /** Fewer than at other doors, because each is a consumer in every node. */
    public static final List<String> SCOPES = List.of("alice", "bob");

    /** Those of all callers. */
    public static List<MessageQueue> of(Collection<Operation> operations) {
        return operations.stream()
                .flatMap(operation -> SCOPES.stream().map(scope -> new MessageQueue(operation, scope)))
                .toList();
    }

    public String name() {
        return operation.name().toLowerCase(Locale.ROOT) + "-" + scope;
    }
}
