package dev.semel.torture.plan;

import dev.semel.torture.broker.MessageQueue;
import dev.semel.torture.node.Bug;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a run is to do.
 *
 * @param duration how long there is load and faults
 * @param door the way in
 * @param rate how many requests are sent per second, at most
 * @param system the system under test: {@code semel}, or one of the peers
 * @param stopEarly whether the run ends at the first violation
 */
public record TorturePlan(
        Duration duration,
        StoreKind store,
        Door door,
        Set<FaultKind> faults,
        long seed,
        int nodes,
        int rate,
        Duration lease,
        String system,
        Bug bug,
        boolean stopEarly) {

    public TorturePlan {
        requireAtLeast("seconds", duration.toSeconds(), 1);
        requireAtLeast("nodes", nodes, 2);
        requireAtLeast("rate", rate, 1);
        EnumSet<FaultKind> possible = EnumSet.noneOf(FaultKind.class);
        faults.stream()
                .filter(kind -> kind.happensOn(store) && kind.happensAt(door))
                .forEach(possible::add);
        faults = possible;
        if (!system.equals("semel") && store != StoreKind.POSTGRES) {
            throw new IllegalArgumentException("only Semel has a store " + store + ", not " + system);
        }
    }

    private static void requireAtLeast(String what, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(what + " must be at least " + least + ", got " + value);
        }
    }

    /** The same for another time. */
    public TorturePlan lasting(Duration other) {
        return new TorturePlan(other, store, door, faults, seed, nodes, rate, lease, system, bug, stopEarly);
    }

    /** How many clients send them: enough that some of them can wait, and not so many that all of them would have to. */
    public int clients() {
        return Math.max(8, Math.min(96, rate / 2));
    }

    /** The callers. */
    public List<String> scopes() {
        return door.isBroker() ? MessageQueue.SCOPES : List.of("alice", "bob", "carol");
    }

    public boolean isSemel() {
        return system.equals("semel");
    }

    /** The operations that the system can run. */
    public List<Operation> operations() {
        if (door == Door.GATEWAY) {
            return List.of(Operation.HOLD, Operation.REDO, Operation.BRIEF, Operation.TOMB);
        }
        // A filter for WebFlux has no transaction to settle in.
        boolean transactional = store.joinsTransactions() && door != Door.WEBFLUX;
        return isSemel()
                ? Arrays.stream(Operation.values())
                        .filter(operation -> transactional || !operation.isTransactional())
                        .filter(operation -> operation.hasConsumers() || !door.isBroker())
                        .toList()
                : List.of(Operation.HOLD);
    }
}
